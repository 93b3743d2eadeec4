import { expect, test } from "vitest";
import { createEnding } from "../../../src/server/delivery/ending.ts";

test("whoever waits is told once; who comes after the end is told at once; who was forgotten is not", () => {
  const ending = createEnding();
  const told: string[] = [];
  ending.onEnd(() => told.push("early"));
  ending.onEnd(() => told.push("forgotten"))();
  expect([ending.hasEnded(), told]).toEqual([false, []]);
  ending.end();
  ending.end();
  ending.onEnd(() => told.push("late"));
  expect([ending.hasEnded(), told]).toEqual([true, ["early", "late"]]);
});
