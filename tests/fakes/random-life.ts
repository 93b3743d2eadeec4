import fc from "fast-check";
import type { SessionEvent } from "../../src/server/core/event.ts";
import { type Delays, files, type Happening, type SessionID, sessionIDs } from "./life.ts";
import { tool } from "./session-stage.ts";

/** Most of it happens in one family: what meets there is what can go wrong. */
export const sessionID = fc.constantFrom<SessionID>(...sessionIDs, "R1", "R1", "R1", "R1", "A", "A", "U", "X");
const work: readonly SessionEvent[] = [
  { kind: "prompted", trigger: "typed" },
  { kind: "started" },
  { kind: "stepStarted" },
  tool("bash", "c9"),
];
/** What a session may be told in one breath. */
export const tellings: readonly (readonly SessionEvent[])[] = [
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
];
const events = fc.constantFrom<readonly SessionEvent[]>(
  ...tellings,
  [{ kind: "started" }, { kind: "stepStarted" }, tool("bash"), { kind: "ended" }],
  [{ kind: "described", parentID: "R2" }],
  [{ kind: "described", parentID: null }],
  [{ kind: "deleted" }],
);

const what = <K extends string>(kind: K) => fc.constant(kind);
const terminal = fc.constantFrom("T1" as const, "T2" as const);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** One thing that happens. Weights make lives in which much is under way at once. */
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: what("tell"), sessionID, events }) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        do: what("ask"),
        sessionID,
        about: fc.constantFrom("permission" as const, "question" as const),
        callID: fc.constantFrom("c1", "c2"),
      },
      { requiredKeys: ["do", "sessionID", "about"] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: what("reply"),
      newest: fc.nat(3),
      how: fc.constantFrom("replied" as const, "refused" as const),
      named: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: what("wait"),
      ms: fc.constantFrom(0, 1, 100, 350, 400, 1_000, 5_000, 30_000, 60_000, 1_900_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        do: what("look"),
        terminal,
        focus: fc.constantFrom("focused" as const, "focused" as const, "blurred" as const, "unknown" as const),
        shows: optional(sessionID),
        idleMs: fc.constantFrom(0, 1_000, 599_999, 10_000_000),
      })
      .map(({ shows, ...look }): Happening => (shows === undefined ? look : { ...look, shows })),
  },
  { weight: 1, arbitrary: fc.record({ do: what("leave"), terminal }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: what("press"),
      newest: fc.nat(2),
      action: fc.constantFrom("once" as const, "reject" as const, "default" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: what("close"), sessionID, byPerson: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: what("mute"), ms: fc.constantFrom(0, 1_000, 600_000) }) },
  { weight: 1, arbitrary: fc.record({ do: what("configure"), file: fc.nat(files.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: what("lock"), locked: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: what("break"),
      channels: fc.constantFrom("ok" as const, "ok" as const, "fail" as const, "drop" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Happening>({ do: "takeOver" }) },
  { weight: 1, arbitrary: fc.constant<Happening>({ do: "hostEnds", sessionIDs: ["R1", "A", "B"] }) },
);

export const story: fc.Arbitrary<readonly Happening[]> = fc.array(happening, { minLength: 5, maxLength: 50 });

/** Answers that come at once, late, too late, or never. */
export const delays: fc.Arbitrary<Delays> = fc.array(fc.constantFrom(0, 0, 5, 200, 900, 5_000, undefined), {
  minLength: 1,
  maxLength: 7,
});

/** How many lives a law is tried on: 10,000 in the quick lane, 100,000 in the whole run, and what `BECKON_LIVES` asks for. */
export const lives = Number(process.env.BECKON_LIVES ?? 10_000);
/** A ceiling far above what that many take, ms. */
export const longestMs = 60_000 + lives * 10;
