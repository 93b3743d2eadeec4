import fc from "fast-check";
import { describe, test } from "vitest";
import {
  attendance,
  goneAfterMs,
  type Looking,
  type Moment,
  type Presence,
  type Terminal,
  withoutTerminal,
  withReport,
} from "../../../src/server/focus/presence.ts";

const moment: fc.Arbitrary<Moment> = fc.record({ now: fc.nat(200_000), wall: fc.nat(200_000) });
const sessionID = fc.constantFrom("ses_a", "ses_b", "ses_c");
const view = fc.oneof(
  fc.record({ type: fc.constant("session" as const), sessionID, rootID: fc.option(sessionID, { nil: undefined }) }),
  fc.record({ type: fc.constantFrom("home" as const, "other" as const) }),
);
const focus = fc.constantFrom("focused" as const, "blurred" as const, "unknown" as const);
const terminal: fc.Arbitrary<Terminal> = fc.record({
  id: fc.constantFrom("t1", "t2", "t3"),
  name: fc.constant("name"),
  seq: fc.nat(50),
  report: fc.record({ focus, view, idleMs: fc.nat(700_000) }),
  reportedAt: moment,
});
/** As a terminal numbers them: no number twice. */
const reports = fc.uniqueArray(terminal, { maxLength: 12, selector: ({ id, seq }) => `${id} ${seq}` });

const fold = (all: readonly Terminal[]): Presence => all.reduce(withReport, new Map<string, Terminal>());
const on = (sessionID: string, idleSeconds = 600): Looking => ({ matches: (id) => id === sessionID, idleSeconds });
const sorted = (presence: Presence) => JSON.stringify([...presence].sort(([a], [b]) => (a < b ? -1 : 1)));

describe("presence", () => {
  test("is the same in whatever order the reports arrive", () => {
    const shuffled = reports.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(fc.property(shuffled, ([all, other]) => sorted(fold(all)) === sorted(fold(other))));
  });

  test("does not change when a report arrives again, late or early", () => {
    fc.assert(
      fc.property(reports, fc.nat(), (all, pick) => {
        const presence = fold(all);
        const again = all[pick % Math.max(1, all.length)];
        return again === undefined || withReport(presence, again) === presence;
      }),
    );
  });
});

describe("attendance", () => {
  /** The rule once more, in the plainest words. */
  const lookers = (presence: Presence, session: string, idleSeconds: number, at: Moment) =>
    [...presence.values()].filter(({ report, reportedAt }) => {
      const age = Math.max(at.now - reportedAt.now, at.wall - reportedAt.wall, 0);
      const isRecent = idleSeconds === 0 || report.idleMs + age < idleSeconds * 1_000;
      const shows = report.view.type === "session" && report.view.sessionID === session;
      return report.focus === "focused" && shows && age < goneAfterMs && isRecent;
    });

  test("is claimed exactly when some terminal is focused on that very session, alive and recently used", () => {
    fc.assert(
      fc.property(reports, sessionID, fc.constantFrom(0, 1, 600), moment, (all, session, idleSeconds, at) => {
        const presence = fold(all);
        const claimed = attendance(presence, on(session, idleSeconds), at) !== undefined;
        return claimed === lookers(presence, session, idleSeconds, at).length > 0;
      }),
      { numRuns: 2_000 },
    );
  });

  test("is never claimed of a terminal that did not say it is focused", () => {
    const unfocused = reports.map((all) =>
      all.map((one) => ({ ...one, report: { ...one.report, focus: "unknown" as const } })),
    );
    fc.assert(
      fc.property(unfocused, sessionID, moment, (all, session, at) => !attendance(fold(all), on(session, 0), at)),
    );
  });

  test("ends with silence, whichever clock tells of it", () => {
    fc.assert(
      fc.property(reports, sessionID, fc.boolean(), (all, session, byWall) => {
        const latest = Math.max(0, ...all.map(({ reportedAt }) => (byWall ? reportedAt.wall : reportedAt.now)));
        const late = latest + goneAfterMs;
        const at = byWall ? { now: 0, wall: late } : { now: late, wall: 0 };
        return attendance(fold(all), on(session, 0), at) === undefined;
      }),
    );
  });

  test("lasts until the moment it names, and no longer", () => {
    fc.assert(
      fc.property(reports, sessionID, moment, (all, session, { now: sinceLatest, wall }) => {
        const presence = fold(all);
        const at = { now: Math.max(0, ...all.map(({ reportedAt }) => reportedAt.now)) + (sinceLatest % 40_000), wall };
        const now = attendance(presence, on(session, 60), at);
        if (now === undefined) return true;
        const later = (ms: number) => ({ now: at.now + ms, wall: at.wall + ms });
        const lasts = now.until - at.now;
        return (
          attendance(presence, on(session, 60), later(lasts - 1)) !== undefined &&
          attendance(presence, on(session, 60), later(lasts)) === undefined
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test("is never made by leaving out reports of a terminal that then blurs or goes", () => {
    fc.assert(
      fc.property(reports, sessionID, moment, (all, session, at) => {
        const gone = ["t1", "t2", "t3"].reduce(withoutTerminal, fold(all));
        return attendance(gone, on(session, 0), at) === undefined;
      }),
    );
  });
});
