import { expect, test } from "vitest";
import { createBeginning } from "../../../src/server/session/beginning.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

const hour = 3_600_000;

test("the start stays when it was while time passes, and while the machine sleeps", () => {
  const clock = createHandCrankedClock();
  const startedAt = clock.wall();
  const beginning = createBeginning(clock, startedAt);
  clock.advance(hour);
  clock.setWall(8 * hour);
  expect(beginning()).toBe(startedAt);
});

test("a wall clock that is set back takes the start along, and back again", () => {
  const clock = createHandCrankedClock();
  const startedAt = clock.wall();
  const beginning = createBeginning(clock, startedAt);
  clock.setWall(-hour);
  expect(beginning()).toBe(startedAt - hour);
  clock.setWall(hour);
  expect(beginning()).toBe(startedAt);
});

test("a start that lies ahead, since the clock was set back before, is now", () => {
  const clock = createHandCrankedClock();
  expect(createBeginning(clock, clock.wall() + hour)()).toBe(clock.wall());
});
