import fc from "fast-check";
import type { SessionEvent } from "../../src/server/core/event.ts";
import { createDeciderStage, type DeciderStage, type DeciderStageOptions } from "./decider-stage.ts";
import { parents, type SessionID, sessionIDs } from "./life.ts";
import { sessionID, tellings } from "./random-life.ts";
import { permission } from "./session-stage.ts";

export const sessions = sessionIDs;

/** How long the host takes to answer; longer than anybody waits for it is never. */
export const hostDelayMs = fc.constantFrom(0, 0, 200, 900, 5_000);

type Step =
  | { do: "tell"; sessionID: SessionID; events: readonly SessionEvent[] }
  | { do: "ask"; sessionID: SessionID; twice: boolean; callID: boolean }
  | { do: "reply"; newest: number; how: "replied" | "refused"; named: boolean }
  | { do: "wait"; ms: number }
  | { do: "delete"; sessionID: SessionID }
  | { do: "hostEnds" };

const happening = fc.constantFrom(...tellings);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant("tell" as const), sessionID, events: happening }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      sessionID,
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
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), sessionID }) },
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
export type Witness = ReturnType<typeof createWitness>;

export function begin(
  delayMs: number,
  options: DeciderStageOptions = {},
  createStage: (options: DeciderStageOptions) => DeciderStage = createDeciderStage,
): DeciderStage {
  const stage = createStage(options);
  stage.host.sessions.set("U", { parentID: "R2", title: "U" });
  for (const [sessionID, parentID] of Object.entries(parents)) {
    stage.host.sessions.set(sessionID, { parentID, title: sessionID });
    stage.tell(sessionID, { kind: "described", title: sessionID, parentID });
  }
  stage.host.delay(delayMs);
  return stage;
}

export async function play(stage: DeciderStage, steps: readonly Step[], witness = createWitness()): Promise<Witness> {
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

export const story = fc.array(step, { minLength: 5, maxLength: 60 });
