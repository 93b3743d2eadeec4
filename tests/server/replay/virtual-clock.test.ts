import { expect, test } from "vitest";
import { createVirtualClock } from "../../../src/server/replay/virtual-clock.ts";

const noon = Date.UTC(2026, 0, 5, 12);

test("it stands still until it is told to go on", async () => {
  const clock = createVirtualClock(noon);
  expect([clock.now(), clock.wall()]).toEqual([0, noon]);
  await clock.advance(1_000);
  expect([clock.now(), clock.wall()]).toEqual([1_000, noon + 1_000]);
});

test("timers ring at their time, in order, those of one moment as they were set", async () => {
  const clock = createVirtualClock(noon);
  const rang: [string, number][] = [];
  const ring = (name: string) => () => void rang.push([name, clock.now()]);
  clock.after(20, ring("later"));
  clock.after(10, ring("first"));
  clock.after(10, ring("second"));
  clock.after(30, ring("not yet"));
  await clock.advance(20);
  expect(rang).toEqual([
    ["first", 10],
    ["second", 10],
    ["later", 20],
  ]);
});

test("what a timer sets off runs before the next one rings", async () => {
  const clock = createVirtualClock(noon);
  const rang: string[] = [];
  clock.after(10, () => {
    Promise.resolve()
      .then(() => Promise.resolve())
      .then(() => rang.push("what the first set off"))
      .catch(() => {});
    clock.after(0, () => rang.push("a timer of no time"));
  });
  clock.after(10, () => rang.push("second"));
  await clock.advance(10);
  expect(rang).toEqual(["what the first set off", "second", "a timer of no time"]);
});

test("a cancelled timer never rings, and cancelling twice is nothing", async () => {
  const clock = createVirtualClock(noon);
  const rang: string[] = [];
  const cancel = clock.after(10, () => rang.push("cancelled"));
  cancel();
  cancel();
  await clock.drain(1_000);
  expect(rang).toEqual([]);
});

test("it runs out when no timer is left; heartbeats do not keep it going", async () => {
  const clock = createVirtualClock(noon);
  let beats = 0;
  const beat = (): void => {
    beats += 1;
    clock.background(10, beat);
  };
  clock.background(10, beat);
  clock.after(35, () => {});
  await clock.drain(1_000_000);
  expect(clock.now()).toBe(35);
  expect(beats).toBe(3);
});

test("it runs out at its limit, whatever still waits", async () => {
  const clock = createVirtualClock(noon);
  const rang: number[] = [];
  const again = (): void => {
    rang.push(clock.now());
    clock.after(400, again);
  };
  clock.after(400, again);
  await clock.drain(1_000);
  expect(rang).toEqual([400, 800]);
});

test("sleep moves the wall clock alone", async () => {
  const clock = createVirtualClock(noon);
  clock.sleep(3_600_000);
  expect([clock.now(), clock.wall()]).toEqual([0, noon + 3_600_000]);
});

test("parts of a millisecond are whole ones, and the past is now", async () => {
  const clock = createVirtualClock(noon);
  const rang: number[] = [];
  clock.after(0.2, () => rang.push(clock.now()));
  clock.after(-5, () => rang.push(clock.now()));
  await clock.advance(1);
  expect(rang).toEqual([0, 1]);
});
