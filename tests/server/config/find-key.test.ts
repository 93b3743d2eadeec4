import { expect, test } from "vitest";
import { distance, nearestKey } from "../../../src/server/config/find-key.ts";

const known = ["pause", "done", "error", "quietHours", "stuckAfterSeconds"];

test.each([
  ["puase", "pause"],
  ["Done", "done"],
  ["quiet_hours", "quietHours"],
  ["quiet-hours", "quietHours"],
  ["stuckAfter", "stuckAfterSeconds"],
  ["errors", "error"],
])("%s was meant to be %s", (written, meant) => {
  expect(nearestKey(written, known)).toBe(meant);
});

test.each(["events", "x", "", "channels", "zebra"])("%j is near nothing", (written) => {
  expect(nearestKey(written, known)).toBeUndefined();
});

test("two swapped neighbours are one edit", () => {
  expect(distance("vioce", "voice")).toBe(1);
});

test("a word of any length is compared quickly", () => {
  expect(nearestKey("z".repeat(1_000_000), known)).toBeUndefined();
});
