import { expect, test } from "vitest";
import { wait } from "../../src/shared/wait.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";
import { settled } from "../fakes/settled.ts";

function start(signal: AbortSignal) {
  const clock = createHandCrankedClock();
  let over = false;
  void wait(clock, 1_000, signal).then(() => {
    over = true;
  });
  return { clock, isOver: () => over };
}

test("a wait ends when its time has come", async () => {
  const { clock, isOver } = start(new AbortController().signal);
  clock.advance(999);
  await settled();
  expect(isOver()).toBe(false);
  clock.advance(1);
  await settled();
  expect(isOver()).toBe(true);
});

test.each(["meanwhile", "before it began"])(
  "a wait that is called off (%s) ends at once and leaves no timer",
  async (when) => {
    const stop = new AbortController();
    if (when !== "meanwhile") stop.abort();
    const { clock, isOver } = start(stop.signal);
    stop.abort();
    await settled();
    expect([isOver(), clock.waiting()]).toEqual([true, 0]);
  },
);
