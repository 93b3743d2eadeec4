import { expect, test } from "vitest";
import { keyText, shortText } from "../../../src/server/config/finding.ts";

test("a word from outside is cut after 40 characters, whole ones", () => {
  expect(shortText("🙂".repeat(40))).toBe(`"${"🙂".repeat(40)}"`);
  expect(shortText("🙂".repeat(41))).toBe(`"${"🙂".repeat(40)}…"`);
});

test("a key that is no plain word is quoted, so that it cannot pass for a path or write to the terminal", () => {
  expect(keyText(["alerts", "push", 0, "url"])).toBe("alerts.push[0].url");
  expect(keyText(["alerts", "a.b", "\u001b[2J\u202e"])).toBe('alerts."a.b"."\\u001b[2J\\u202e"');
});
