import { expect, test } from "vitest";
import { entrySpec, isBeckon, withSpec } from "../../../../src/server/cli/install/plugin-entry.ts";

test.each([
  ["name", "name"],
  [["name", { a: 1 }], "name"],
  [{ package: "name", options: {} }, "name"],
  ["-opencode-notifier", undefined],
  ["*", undefined],
  ["", undefined],
  [7, undefined],
])("what the entry %j loads is %j", (entry, spec) => {
  expect(entrySpec(entry)).toBe(spec);
});

test.each([
  ["opencode-beckon", true],
  ["opencode-beckon@0.1.0", true],
  ["npm:opencode-beckon@0.1.0", true],
  ["opencode-beckon-theme", false],
  ["github:ann/opencode-beckon#main", true],
  ["https://example.org/opencode-beckon-theme.git", false],
])("by its name alone the entry %s is this plugin: %s", (spec, ours) => {
  expect(isBeckon(spec, () => "opencode-beckon")).toBe(ours);
});

test.each([
  ["/anywhere", "opencode-beckon", true],
  ["/x/opencode-beckon", "a-fork", false],
  ["./opencode-beckon", undefined, true],
  ["file:///x/opencode-beckon-0.1.0.tgz", undefined, true],
  ["../opencode-beckon-theme", undefined, false],
])("the path %s to the package %s is this plugin: %s", (spec, name, ours) => {
  expect(isBeckon(spec, () => name)).toBe(ours);
});

test("another target leaves an entry its form and its options", () => {
  expect(withSpec("a", "b")).toBe("b");
  expect(withSpec(["a", { x: 1 }], "b")).toEqual(["b", { x: 1 }]);
  expect(withSpec({ package: "a", options: 1 }, "b")).toEqual({ package: "b", options: 1 });
});
