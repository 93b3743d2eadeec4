import { expect, test } from "vitest";
import { keepForAWhile } from "../../src/server/keep-for-a-while.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";

function keep() {
  const clock = createHandCrankedClock();
  const did: string[] = [];
  const listeners = () => process.listenerCount("exit");
  const before = listeners();
  const deeds = { forgotten: () => did.push("forgotten"), lastWords: () => did.push("last words") };
  const taken = keepForAWhile({ clock, ms: 5_000, ...deeds });
  return { clock, did, taken, left: () => [clock.waiting(), listeners() - before] };
}

test("what nobody takes is forgotten, with its last words", () => {
  const { clock, did, left } = keep();
  clock.advance(4_999);
  expect(did).toEqual([]);
  clock.advance(1);
  expect(did).toEqual(["forgotten", "last words"]);
  expect(left()).toEqual([0, 0]);
});

test("what somebody takes has no last words, and leaves no timer and no listener", () => {
  const { clock, did, taken, left } = keep();
  taken();
  clock.advance(60_000);
  expect(did).toEqual([]);
  expect(left()).toEqual([0, 0]);
});
