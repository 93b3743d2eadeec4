import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/server/core/decision.ts";
import { createDeciderStage, type DeciderStage } from "../../fakes/decider-stage.ts";
import { begin, hostDelayMs, play, sessions, story, type Witness } from "../../fakes/decider-story.ts";

const law = (holds: (stage: DeciderStage, witness: Witness) => void) =>
  fc.assert(
    fc.asyncProperty(story, hostDelayMs, async (steps, delayMs) => {
      const stage = begin(delayMs);
      const witness = await play(stage, steps);
      await stage.runOut();
      holds(stage, witness);
    }),
    { numRuns: 300 },
  );

const told = ({ outcome }: Decision): boolean => outcome === "delivered" || outcome === "failed";
const isEnd = ({ alert, reason }: Decision): boolean => alert !== "pause" && reason !== "stuck";

describe("whatever happens in whatever order", () => {
  test("no request is told twice, and each has exactly one line that no other went before", async () => {
    await law(({ decided }, { asked }) => {
      for (const { requestID } of asked) {
        const lines = decided.filter((line) => line.requestID === requestID && line.outcome !== "withdrawn");
        expect(lines.map(({ outcome, reason }) => `${outcome} ${reason}`)).toHaveLength(1);
      }
    });
  });

  test("no busy period is told twice, and each that ended has its line", async () => {
    await law(({ decided }, { ended }) => {
      for (const sessionID of sessions) {
        const lines = decided.filter((line) => line.sessionID === sessionID && isEnd(line));
        const periods = ended.get(sessionID) ?? 0;
        const putOff = lines.filter(({ outcome }) => outcome === "deferred").length;
        const final = lines.filter(
          ({ outcome }) => outcome === "delivered" || outcome === "silent" || outcome === "suppressed",
        );
        expect(final.length).toBeLessThanOrEqual(periods);
        expect(final.length + putOff).toBeGreaterThanOrEqual(periods);
        expect(lines.filter(told).length).toBeLessThanOrEqual(periods);
      }
    });
  });

  test("a subagent is never told to be done, nor to have failed", async () => {
    await law(({ decided }) => {
      const children = decided.filter((line) => ["A", "B", "C"].includes(line.sessionID) && isEnd(line));
      expect(children.filter(({ outcome, reason }) => outcome !== "silent" || reason !== "child")).toEqual([]);
      expect(decided.filter((line) => line.sessionID === "U" && line.alert === "done" && told(line))).toEqual([]);
    });
  });

  test("a session nobody can place is never done", async () => {
    await law(({ decided }) => {
      expect(decided.filter((line) => line.sessionID === "X" && line.alert === "done" && told(line))).toEqual([]);
    });
  });

  test("nothing waits in the end", async () => {
    await law(({ clock }) => {
      expect(clock.waiting()).toBe(0);
    });
  });
});

test("done never leaves while its session works, or an ask of the family waits", async () => {
  await fc.assert(
    fc.asyncProperty(story, hostDelayMs, async (steps, delayMs) => {
      const tooEarly: string[] = [];
      const stage: DeciderStage = begin(delayMs, {
        onSend: ({ kind, sessionID }) => {
          if (kind !== "done") return;
          const own = stage.decider.session(sessionID);
          if (own?.turn.phase === "running") tooEarly.push(sessionID);
          for (const member of [own, ...stage.decider.below(sessionID)])
            tooEarly.push(...(member?.requests ?? []).map((ask) => ask.requestID));
        },
      });
      await play(stage, steps);
      await stage.runOut();
      expect(tooEarly).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("when every session is gone nothing of them is left", async () => {
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.shuffledSubarray([...sessions], { minLength: sessions.length }),
      async (steps, order) => {
        const stage = begin(0);
        await play(stage, steps);
        for (const sessionID of order) stage.tell(sessionID, { kind: "deleted" });
        await stage.runOut();
        expect(stage.state.sessions.size).toBe(0);
        expect(stage.decider.stop()).toMatchObject({ alerts: new Map(), lookUps: new Map(), deliveries: new Map() });
        expect(stage.clock.waiting()).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});

test("an instance that takes over at any moment loses and repeats nothing", async () => {
  await fc.assert(
    fc.asyncProperty(story, story, hostDelayMs, async (before, after, delayMs) => {
      const first = begin(delayMs);
      const seen = await play(first, before);
      const second = createDeciderStage({ state: first.decider.stop() });
      second.host.sessions.set("U", { parentID: "R2", title: "U" });
      await first.wait();
      const decided = first.decided.length;
      await first.runOut();
      expect(first.decided).toHaveLength(decided); // whoever handed over decides nothing more
      second.host.delay(delayMs);
      const stillThere = after.filter((each) => !("sessionID" in each && seen.gone.has(each.sessionID)));
      await play(second, stillThere, seen);
      await second.runOut();
      const lines = [...first.decided, ...second.decided];
      for (const { requestID } of seen.asked)
        expect(lines.filter((line) => line.requestID === requestID && line.outcome !== "withdrawn")).toHaveLength(1);
      for (const sessionID of sessions) {
        const ends = lines.filter((line) => line.sessionID === sessionID && isEnd(line));
        const final = ends.filter(({ outcome }) => outcome !== "deferred" && outcome !== "withdrawn");
        const periods = seen.ended.get(sessionID) ?? 0;
        expect(final.length).toBeLessThanOrEqual(periods);
        expect(ends.filter(({ outcome }) => outcome !== "withdrawn").length).toBeGreaterThanOrEqual(periods);
      }
    }),
    { numRuns: 200 },
  );
});
