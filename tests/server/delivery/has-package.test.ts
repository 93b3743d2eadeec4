import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { hasPackage } from "../../../src/server/delivery/has-package.ts";

test("a package is there when an import from that file would find it", () => {
  expect(hasPackage("dbus-native")).toBe(true);
  expect(hasPackage("no-such-package")).toBe(false);
  expect(hasPackage("dbus-native", pathToFileURL("/nowhere/at/all.js").href)).toBe(false);
});
