import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scheduled } from "../../../src/server/core/agenda.ts";
import { checkLines, checkPopUps, checkTold, day, play } from "../../fakes/laws.ts";
import { createLife, sessionIDs } from "../../fakes/life.ts";
import { delays, lives, longestMs, story } from "../../fakes/random-life.ts";

describe("every life, whatever happens in whatever order", { timeout: longestMs }, () => {
  test("obeys the laws of the core", () => {
    fc.assert(
      fc.property(story, delays, (steps, waits) => {
        const played = play(steps, waits);
        expect(played.life.bugs).toEqual([]);
        // What a channel drops by itself counts as taken back, whatever else becomes of it.
        const drops = steps.some((each) => each.do === "break" && each.channels === "drop");
        checkLines(played, { once: !drops });
        checkTold(played);
        checkPopUps(played.life);
      }),
      { numRuns: lives },
    );
  });

  test("goes on from a copy of its state as from the state itself", () => {
    fc.assert(
      fc.property(story, delays, (steps, waits) => {
        const [one, other] = [createLife(waits), createLife(waits)];
        for (const each of steps) {
          one.happen(each);
          other.become(structuredClone(other.state()));
          other.happen(each);
        }
        for (const life of [one, other]) life.advance(day);
        expect(other.performed).toEqual(one.performed);
        expect(other.state()).toEqual(one.state());
      }),
      { numRuns: Math.ceil(lives / 10) },
    );
  });

  test("leaves nothing behind when every session is gone", () => {
    fc.assert(
      fc.property(story, delays, (steps, waits) => {
        const { life } = play(steps, waits);
        for (const sessionID of sessionIDs) life.happen({ do: "tell", sessionID, events: [{ kind: "deleted" }] });
        life.advance(day);
        const { sessions, children, alerts, agenda, lookUps, deliveries, withdrawals, summarised } = life.state();
        expect([...sessions.keys()]).toEqual([]);
        expect({ children, alerts, lookUps, deliveries, withdrawals, summarised }).toEqual({
          ...{ children: new Map(), alerts: new Map(), lookUps: new Map(), deliveries: new Map() },
          ...{ withdrawals: new Map(), summarised: [] },
        });
        expect(scheduled(agenda)).toEqual([]);
      }),
      { numRuns: Math.ceil(lives / 10) },
    );
  });
});
