import { newRound, type Round } from "../../src/server/core/round.ts";

/** A typed round of real work that ended after ten seconds, but for what the test says. */
export const roundWith = (facts: Partial<Round> = {}): Round => ({
  ...newRound(0, "typed", false),
  stepped: true,
  ownWork: true,
  workedMs: 10_000,
  ...facts,
});
