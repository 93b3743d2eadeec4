import { expect, test } from "vitest";
import { createRest } from "../../../src/server/delivery/outlet-rest.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

test("a failure during a rest, tried as the last resort, neither lengthens that rest nor the next one", () => {
  const clock = createHandCrankedClock();
  const rest = createRest(clock);
  rest.failed("timeout");
  clock.advance(59_000);
  rest.failed("refused");
  expect([rest.isResting(), rest.reason()]).toEqual([true, "refused"]);
  clock.advance(1_000);
  expect(rest.isResting()).toBe(false);
  rest.failed("timeout");
  clock.advance(119_999);
  expect(rest.isResting()).toBe(true);
  clock.advance(1);
  expect(rest.isResting()).toBe(false);
});
