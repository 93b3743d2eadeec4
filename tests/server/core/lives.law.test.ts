import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../../src/server/core/decision.ts";
import type { SessionEvent } from "../../../src/server/core/event.ts";
import { createDeciderStage, type DeciderStage, type DeciderStageOptions } from "../../fakes/decider-stage.ts";
import { permission, tool } from "../../fakes/session-stage.ts";

/** Two families, a session only the host can place, and one that nobody knows. */
const sessions = ["R1", "R2", "A", "B", "C", "U", "X"] as const;
const parents: Record<string, string | null> = { R1: null, R2: null, A: "R1", B: "R1", C: "R2" };
type SessionID = (typeof sessions)[number];

/** How long the host takes to answer; longer than anybody waits for it is never. */
const hostDelayMs = fc.constantFrom(0, 0, 200, 900, 5_000);

type Step =
  | { do: "tell"; sessionID: SessionID; events: readonly SessionEvent[] }
  | { do: "ask"; sessionID: SessionID; twice: boolean; callID: boolean }
  | { do: "reply"; newest: number; how: "replied" | "refused"; named: boolean }
  | { do: "wait"; ms: number }
  | { do: "delete"; sessionID: SessionID }
  | { do: "hostEnds" };

/** Most of it happens in one family: what meets there is what can go wrong. */
const session = fc.constantFrom<SessionID>(...sessions, "R1", "R1", "R1", "R1", "A", "A", "U", "X");
const work = [
  { kind: "prompted", trigger: "typed" },
  { kind: "started" },
  { kind: "stepStarted" },
  tool("bash", "c9"),
] as const;
const happening = fc.constantFrom<readonly SessionEvent[]>(
  [{ kind: "prompted", trigger: "typed" }],
  [{ kind: "prompted", trigger: "synthetic" }],
  [{ kind: "prompted", trigger: "typed", promptID: "m1", queued: true }],
  [{ kind: "promptRead", promptID: "m1" }],
  [{ kind: "started" }],
  work,
  work,
  [...work, { kind: "ended" }],
  [...work, { kind: "ended" }],
  [...work, { kind: "failed", name: "APIError" }, { kind: "ended" }],
  [{ kind: "prompted", trigger: "synthetic" }, { kind: "started" }, { kind: "stepStarted" }, { kind: "ended" }],
  [{ kind: "stepStarted" }],
  [{ kind: "stepEnded" }],
  [{ kind: "answering" }],
  [tool("bash")],
  [tool("task")],
  [tool("todowrite")],
  [{ kind: "retrying", attempt: 1 }],
  [{ kind: "retrying", attempt: 7 }],
  [{ kind: "failed", name: "APIError" }],
  [{ kind: "failed", name: "MessageAbortedError" }, { kind: "ended" }],
  [{ kind: "ended" }],
  [{ kind: "ended" }],
  [{ kind: "ended" }, { kind: "ended", legacy: true }],
  [{ kind: "childLinked", childID: "B", launched: true }],
  [{ kind: "viewed" }],
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant("tell" as const), sessionID: session, events: happening }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      sessionID: session,
      twice: fc.boolean(),
      callID: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("reply" as const),
      newest: fc.nat(3),
      how: fc.constantFrom("replied" as const, "refused" as const),
      named: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 100, 350, 400, 1_000, 60_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), sessionID: session }) },
  { weight: 1, arbitrary: fc.constant({ do: "hostEnds" as const }) },
);

/** What the test itself knows of a story, without the engine: who was busy, and what was asked. */
function createWitness() {
  const busy = new Set<string>();
  const gone = new Set<string>();
  const ended = new Map<string, number>();
  const asked: { sessionID: string; requestID: string }[] = [];
  return {
    ended,
    asked,
    gone,
    saw(sessionID: string, events: readonly SessionEvent[]): void {
      if (gone.has(sessionID)) return;
      for (const { kind } of events) {
        if (kind === "started") busy.add(sessionID);
        if (kind === "ended" && busy.delete(sessionID)) ended.set(sessionID, (ended.get(sessionID) ?? 0) + 1);
      }
    },
    deleted(sessionID: string): void {
      gone.add(sessionID);
      busy.delete(sessionID);
    },
  };
}
type Witness = ReturnType<typeof createWitness>;

function begin(delayMs: number, options: DeciderStageOptions = {}): DeciderStage {
  const stage = createDeciderStage(options);
  stage.host.sessions.set("U", { parentID: "R2", title: "U" });
  for (const [sessionID, parentID] of Object.entries(parents)) {
    stage.host.sessions.set(sessionID, { parentID, title: sessionID });
    stage.tell(sessionID, { kind: "described", title: sessionID, parentID });
  }
  stage.host.delay(delayMs);
  return stage;
}

async function play(stage: DeciderStage, steps: readonly Step[], witness = createWitness()): Promise<Witness> {
  for (const each of steps) {
    switch (each.do) {
      case "tell":
        witness.saw(each.sessionID, each.events);
        stage.tell(each.sessionID, ...each.events);
        break;
      case "ask": {
        const requestID = `p${witness.asked.length}`;
        const event = permission(requestID, each.callID ? { callID: "c1" } : {});
        if (!witness.gone.has(each.sessionID)) witness.asked.push({ sessionID: each.sessionID, requestID });
        stage.tell(each.sessionID, event, ...(each.twice ? [event] : []));
        break;
      }
      case "reply": {
        const ask = witness.asked.at(-1 - each.newest);
        if (ask === undefined) break;
        const named = each.named ? { requestID: ask.requestID } : {};
        stage.tell(ask.sessionID, { kind: "answered", how: each.how, ...named });
        break;
      }
      case "wait":
        await stage.wait(each.ms);
        break;
      case "delete":
        witness.deleted(each.sessionID);
        stage.tell(each.sessionID, { kind: "deleted" });
        break;
      case "hostEnds": // one instance of several: the others' sessions go on
        for (const sessionID of ["R1", "A", "B"]) witness.saw(sessionID, [{ kind: "ended" }]);
        stage.decider.settle((sessionID) => ["R1", "A", "B"].includes(sessionID));
        break;
    }
  }
  return witness;
}

const story = fc.array(step, { minLength: 5, maxLength: 60 });
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
