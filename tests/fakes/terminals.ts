import type { Presence, Terminal } from "../../src/server/focus/presence.ts";
import { withReport } from "../../src/server/focus/presence.ts";
import type { Clock } from "../../src/shared/clock.ts";
import type { FocusReport } from "../../src/shared/focus.ts";

/** Attached terminals, as their reports say. */
export function createFakeTerminals(clock: Clock) {
  let presence: Presence = new Map();
  let seq = 0;

  function report(id: string, told: Partial<FocusReport>, more: Partial<Terminal> = {}): void {
    seq += 1;
    presence = withReport(presence, {
      id,
      name: id,
      seq,
      reportedAt: { now: clock.now(), wall: clock.wall() },
      report: { focus: "unknown", view: { type: "home" }, idleMs: 0, ...told },
      ...more,
    });
  }

  return {
    presence: () => presence,
    report,
    /** In front of somebody's eyes. */
    shows: (id: string, sessionID: string, rootID?: string) =>
      report(id, { focus: "focused", view: { type: "session", sessionID, rootID } }),
    leaves: (id: string) => report(id, { focus: "blurred" }),
    clear: () => {
      presence = new Map();
    },
  };
}
