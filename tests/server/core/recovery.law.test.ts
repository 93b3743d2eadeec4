import fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment } from "../../../src/server/core/environment.ts";
import { checkLines, play } from "../../fakes/laws.ts";
import { createLife } from "../../fakes/life.ts";
import { delays, lives, longestMs, story } from "../../fakes/random-life.ts";

/** The world lies broken for one reading: whatever a step asks of it throws, once, at a moment nobody chose. */
function faulty(at: number) {
  let readings = 0;
  const broken = <T>(value: () => T): T => {
    readings += 1;
    if (readings === at) throw new Error("a bug of ours");
    return value();
  };
  return (env: Environment): Environment => ({
    ...env,
    get config() {
      return broken(() => env.config);
    },
    get wording() {
      return broken(() => env.wording);
    },
    get presence() {
      return broken(() => env.presence);
    },
    get mutedUntil() {
      return broken(() => env.mutedUntil);
    },
  });
}

test("a bug in the middle of a decision is a line, never silence, and what comes after is decided as ever", {
  timeout: longestMs,
}, () => {
  fc.assert(
    fc.property(story, delays, fc.integer({ min: 1, max: 200 }), (steps, waits, at) => {
      const life = createLife(waits, { fault: faulty(at) });
      const played = play(steps, waits, life);
      expect(life.bugs.length).toBeLessThanOrEqual(1);
      checkLines(played, { once: false });
    }),
    { numRuns: Math.ceil(lives / 5) },
  );
});
