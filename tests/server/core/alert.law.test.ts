import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertContent } from "../../../src/server/core/alert-words.ts";
import type { DeliveredReason } from "../../../src/server/core/decision.ts";
import type { Focus } from "../../../src/shared/focus.ts";
import { createAlertsStage, done, failure, pause } from "../../fakes/alerts-stage.ts";

type Step =
  | { do: "report"; terminal: string; focus: Focus; shows: string | undefined; idleMs: number }
  | { do: "leave"; terminal: string }
  | { do: "end"; alert: AlertContent; sessionID: string }
  | { do: "ask"; sessionID: string }
  | { do: "answer"; newest: number }
  | { do: "works"; sessionID: string }
  | { do: "wait"; ms: number };

const sessions = ["S", "C", "R"] as const; // C is a child of S
const session = fc.constantFrom(...sessions);
const terminal = fc.constantFrom("T1", "T2");
const kind = <K extends string>(what: K) => fc.constant(what);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: kind("report"),
      terminal,
      focus: fc.constantFrom<Focus>("focused", "focused", "blurred", "unknown"),
      shows: fc.option(session, { nil: undefined }),
      idleMs: fc.constantFrom(0, 1_000, 599_999, 600_000, 10_000_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: kind("leave"), terminal }) },
  { weight: 3, arbitrary: fc.record({ do: kind("end"), alert: fc.constantFrom(done, failure), sessionID: session }) },
  { weight: 3, arbitrary: fc.record({ do: kind("ask"), sessionID: session }) },
  { weight: 2, arbitrary: fc.record({ do: kind("answer"), newest: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: kind("works"), sessionID: session }) },
  { weight: 4, arbitrary: fc.record({ do: kind("wait"), ms: fc.constantFrom(1, 100, 5_000, 30_000, 700_000) }) },
);
const story = fc.array(step, { minLength: 3, maxLength: 40 });

type Stage = ReturnType<typeof createAlertsStage>;

/** Said in other words than the code's: somebody has the session, or for an ask its family, in front of their eyes now. */
function somebodyLooks({ terminals, clock }: Stage, sessionID: string, family: boolean): boolean {
  const rootOf = (id: string) => (id === "C" ? "S" : id);
  for (const { report, reportedAt } of terminals.presence().values()) {
    const silentFor = clock.now() - reportedAt.now;
    const { view } = report;
    if (report.focus !== "focused" || silentFor >= 30_000 || report.idleMs + silentFor >= 600_000) continue;
    if (view.type !== "session") continue;
    if (view.sessionID === sessionID || (family && rootOf(view.sessionID) === rootOf(sessionID))) return true;
  }
  return false;
}

async function play(stage: Stage, steps: readonly Step[], after: (step: Step) => void = () => {}): Promise<string[]> {
  const asked: { sessionID: string; requestID: string }[] = [];
  const { alerts, terminals } = stage;
  for (const each of steps) {
    if (each.do === "report") {
      const view =
        each.shows === undefined ? ({ type: "home" } as const) : ({ type: "session", sessionID: each.shows } as const);
      terminals.report(each.terminal, { focus: each.focus, view, idleMs: each.idleMs });
      alerts.presenceChanged();
    } else if (each.do === "leave") stage.leaves(each.terminal);
    else if (each.do === "end") alerts.open(each.alert, each.sessionID, "unattended");
    else if (each.do === "ask") {
      const requestID = `p${asked.length}`;
      asked.push({ sessionID: each.sessionID, requestID });
      alerts.open(pause(requestID), each.sessionID, "unattended", requestID);
    } else if (each.do === "answer") {
      const ask = asked.at(-1 - each.newest);
      if (ask !== undefined) alerts.closed(ask.sessionID, ask.requestID);
    } else if (each.do === "works") alerts.worksAgain(each.sessionID);
    else await stage.wait(each.ms);
    after(each);
    await stage.wait();
  }
  return asked.map(({ requestID }) => requestID);
}

describe("whoever looks at what, and when", () => {
  test("what is held back was in front of somebody's eyes at that very moment, and nothing else is", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const stage = createAlertsStage();
        let before = 0;
        await play(stage, steps, (each) => {
          if (each.do !== "end" && each.do !== "ask") return;
          // Decided without waiting: a suppressed line is there at once, a delivered one follows.
          const held = stage.decided.slice(before).some(({ reason }) => reason === "attended");
          before = stage.decided.length;
          expect(held).toBe(somebodyLooks(stage, each.sessionID, each.do === "ask"));
        });
      }),
      { numRuns: 300 },
    );
  });

  test("an ask that still waits when nobody looks any more is told, once", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const stage = createAlertsStage();
        const asked = await play(stage, steps);
        for (let hour = 0; hour < 3; hour += 1) await stage.wait(3_600_000); // every terminal is silent by now
        const open = new Set(sessions.flatMap((id) => stage.alerts.openRequests(id).map(({ requestID }) => requestID)));
        for (const requestID of asked) {
          const told = stage.decided.filter((line) => line.requestID === requestID && line.outcome === "delivered");
          expect(told.length).toBeLessThanOrEqual(1);
          if (open.has(requestID)) expect(told).toHaveLength(1);
        }
        expect(stage.alerts.all().filter(({ stage: at }) => at !== "shown")).toEqual([]);
        expect(stage.clock.waiting()).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  test("every banner that is taken back was there, and is taken back once", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const stage = createAlertsStage();
        await play(stage, steps);
        const count = (outcome: string, sessionID: string, alert: string) =>
          stage.decided.filter(
            (line) => line.outcome === outcome && line.sessionID === sessionID && line.alert === alert,
          ).length;
        for (const sessionID of sessions)
          for (const alert of ["pause", "done", "error"])
            expect(count("withdrawn", sessionID, alert)).toBeLessThanOrEqual(count("delivered", sessionID, alert));
      }),
      { numRuns: 200 },
    );
  });
});

test("whatever is dropped, late or broken, the outcome is an alert or a line that says why not", async () => {
  const broken = fc.constantFrom(
    () => Promise.reject(new Error("no bus")),
    () => new Promise<boolean>(() => {}),
    () => Promise.resolve(undefined),
    () => Promise.resolve(true),
    () => Promise.resolve(false),
    (): never => {
      throw new Error("no lock");
    },
  );
  await fc.assert(
    fc.asyncProperty(story, broken, fc.boolean(), async (steps, isLocked, failing) => {
      const stage = createAlertsStage({ screen: { isLocked, doNotDisturb: isLocked } });
      if (failing) stage.channelsAnswer({ channels: [], failure: "channel-error" });
      const asked = await play(stage, steps);
      for (let hour = 0; hour < 3; hour += 1) await stage.wait(3_600_000);
      const first = stage.decided.filter(({ outcome }) => outcome !== "withdrawn");
      const ends = steps.filter((each) => each.do === "end").length;
      expect(first.filter(({ alert }) => alert !== "pause")).toHaveLength(ends);
      const lost = asked.filter((id) => !first.some(({ requestID }) => requestID === id));
      expect(lost).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("unseen ends are told once at most, and only those that were held back", async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const stage = createAlertsStage({ file: { alerts: { focus: { unseenSeconds: 60 } } } });
      await play(stage, steps);
      await stage.wait(3_600_000);
      const count = (outcome: string, reason: DeliveredReason | "attended") =>
        stage.decided.filter((line) => line.alert !== "pause" && line.outcome === outcome && line.reason === reason)
          .length;
      expect(count("delivered", "unseen")).toBeLessThanOrEqual(count("suppressed", "attended"));
      const ends = steps.filter((each) => each.do === "end").length;
      expect(count("suppressed", "attended") + count("delivered", "unattended")).toBe(ends);
    }),
    { numRuns: 200 },
  );
});
