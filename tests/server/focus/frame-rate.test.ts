import { expect, test } from "vitest";
import { createFrameRate, framesPerSecond } from "../../../src/server/focus/frame-rate.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

const burst = (withinRate: () => boolean, count: number) =>
  Array.from({ length: count }, withinRate).filter((isFine) => isFine).length;

test("50 frames at once are fine, the next is not, and after a second 50 more are", () => {
  const clock = createHandCrankedClock();
  const withinRate = createFrameRate(clock);
  expect(burst(withinRate, 60)).toBe(framesPerSecond);
  clock.advance(2_000);
  expect(burst(withinRate, 60)).toBe(framesPerSecond);
});

test("50 a second are fine for ever", () => {
  const clock = createHandCrankedClock();
  const withinRate = createFrameRate(clock);
  for (let second = 0; second < 60; second += 1) {
    for (let frame = 0; frame < framesPerSecond; frame += 1) {
      clock.advance(1_000 / framesPerSecond);
      expect(withinRate()).toBe(true);
    }
  }
});
