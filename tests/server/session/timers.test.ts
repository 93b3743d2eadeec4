import { expect, test } from "vitest";
import { createTimers } from "../../../src/server/session/timers.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

function rig() {
  const clock = createHandCrankedClock();
  const rang: string[] = [];
  return { clock, rang, timers: createTimers(clock) };
}

test("a timer rings once, at its time", () => {
  const { clock, rang, timers } = rig();
  timers.set("a", 10, () => rang.push("a"));
  clock.advance(9);
  expect(rang).toEqual([]);
  expect(timers.has("a")).toBe(true);
  clock.advance(100);
  expect(rang).toEqual(["a"]);
  expect(timers.has("a")).toBe(false);
});

test("setting a key again replaces its timer and leaves the others alone", () => {
  const { clock, rang, timers } = rig();
  timers.set("a", 10, () => rang.push("first"));
  timers.set("b", 10, () => rang.push("b"));
  timers.set("a", 20, () => rang.push("second"));
  clock.advance(100);
  expect(rang).toEqual(["b", "second"]);
});

test("a timer may set itself again while it rings", () => {
  const { clock, rang, timers } = rig();
  const ring = () => {
    rang.push("a");
    if (rang.length < 3) timers.set("a", 10, ring);
  };
  timers.set("a", 10, ring);
  clock.advance(100);
  expect(rang).toEqual(["a", "a", "a"]);
});

test("cleared and stopped timers never ring, and nothing waits", () => {
  const { clock, rang, timers } = rig();
  timers.set("a", 10, () => rang.push("a"));
  timers.set("b", 10, () => rang.push("b"));
  timers.clear("a");
  timers.clear("unknown");
  timers.stop();
  clock.advance(100);
  expect(rang).toEqual([]);
  expect(clock.waiting()).toBe(0);
});
