import fc from "fast-check";
import { test } from "vitest";
import { backoffMs, longestMs, shortestMs } from "../../src/tui/backoff.ts";

const attempt = fc.integer({ min: 1, max: 10_000 });
const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("a wait is never shorter than a quarter of a second and never longer than five", () => {
  fc.assert(
    fc.property(attempt, dice, (n, luck) => {
      const ms = backoffMs(n, luck);
      return ms >= shortestMs && ms <= longestMs;
    }),
  );
});

test("with the same luck a later attempt never waits less", () => {
  fc.assert(fc.property(attempt, dice, (n, luck) => backoffMs(n + 1, luck) >= backoffMs(n, luck)));
});

test("two terminals with different luck do not come back together for ever", () => {
  fc.assert(fc.property(fc.integer({ min: 3, max: 100 }), (n) => backoffMs(n, 0) !== backoffMs(n, 0.9)));
});
