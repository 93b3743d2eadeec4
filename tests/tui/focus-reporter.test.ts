import { expect, test } from "vitest";
import type { FocusReport } from "../../src/shared/focus.ts";
import { createFocusReporter } from "../../src/tui/focus-reporter.ts";
import { firstState } from "../../src/tui/focus-state.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";

function setUp() {
  const clock = createHandCrankedClock();
  const told: (FocusReport & { at: number })[] = [];
  const memory = { state: firstState({ now: clock.now(), wall: clock.wall() }) };
  const reporter = createFocusReporter({ clock, memory, tell: (report) => told.push({ ...report, at: clock.now() }) });
  clock.advance(5_000);
  told.length = 0;
  return { clock, told, reporter, memory };
}

test("the whole state is told at the start, and every ten seconds when nothing happens", () => {
  const clock = createHandCrankedClock();
  const told: number[] = [];
  const state = firstState({ now: 0, wall: clock.wall() });
  createFocusReporter({ clock, memory: { state }, tell: () => told.push(clock.now()) });
  clock.advance(30_000);
  expect(told).toEqual([0, 10_000, 20_000, 30_000]);
});

test("a change is told at once", () => {
  const { told, reporter } = setUp();
  reporter.happened({ type: "blur" });
  expect(told).toMatchObject([{ focus: "blurred", at: 5_000 }]);
});

test("changes in the same moment are told as one, and the last one counts", () => {
  const { clock, told, reporter } = setUp();
  for (let n = 0; n < 100; n += 1) reporter.happened({ type: n % 2 === 0 ? "focus" : "blur" });
  reporter.happened({ type: "focus" });
  clock.advance(100);
  expect(told).toMatchObject([
    { focus: "focused", at: 5_000 },
    { focus: "focused", at: 5_025 },
  ]);
});

test("the first key after a rest is told at once, typing once a second", () => {
  const { clock, told, reporter } = setUp();
  for (let n = 0; n < 100; n += 1) {
    reporter.happened({ type: "key" });
    clock.advance(30);
  }
  expect(told.map(({ at }) => at)).toEqual([5_000, 6_000, 7_000, 8_000]);
});

test("a change never waits for a second because somebody types", () => {
  const { clock, told, reporter } = setUp();
  reporter.happened({ type: "key" });
  clock.advance(500);
  reporter.happened({ type: "key" });
  reporter.happened({ type: "blur" });
  expect(told).toMatchObject([{ at: 5_000 }, { at: 5_500, focus: "blurred" }]);
});

test("a suspension is told before the process stops, however soon after another change", () => {
  const { clock, told, reporter } = setUp();
  reporter.happened({ type: "focus" });
  reporter.happened({ type: "suspend" });
  expect(told).toMatchObject([
    { focus: "focused", at: 5_000 },
    { focus: "unknown", view: { type: "other" }, at: 5_000 },
  ]);
  clock.advance(9_999);
  expect(told).toHaveLength(2);
});

test("no flood of changes ever exceeds what the relay takes", () => {
  const { clock, told, reporter } = setUp();
  for (let ms = 0; ms < 10_000; ms += 1) {
    reporter.happened({ type: ms % 2 === 0 ? "focus" : "blur" });
    clock.advance(1);
  }
  expect(told.length).toBeLessThanOrEqual(10 * 41);
});

test("nothing is told after the end, and no timer is left", () => {
  const { clock, told, reporter } = setUp();
  reporter.stop();
  reporter.happened({ type: "blur" });
  clock.advance(60_000);
  expect(told).toEqual([]);
  expect(clock.waiting()).toBe(0);
});
