import type { Clock } from "../../shared/clock.ts";
import type { FocusReport } from "../../shared/focus.ts";
import type { Presence, Terminal } from "../focus/presence.ts";

type Known = { name: string; report: FocusReport; at: number };
type Deed = { op: "focus" | "blur" | "input" } | { op: "view"; view: object };

/** A report is a little late: a sign of life is younger than the last report allows for by more than this, ms. */
const lifeSlackMs = 50;

/** Terminals report states; a trace tells what somebody did: the difference. */
export function createRecordedTerminals(clock: Clock, tell: (line: object) => void) {
  const known = new Map<string, Known>();

  function gone(presence: Presence): void {
    for (const [id, { name }] of known) {
      if (presence.has(id)) continue;
      tell({ kind: "tui", tui: name, op: "drop" });
      known.delete(id);
    }
  }

  function meet({ id, name, report, abilities }: Terminal): void {
    const before = known.get(id);
    const at = clock.now();
    if (before === undefined)
      tell({ kind: "tui", tui: name, op: "attach", ...(abilities ? { terminal: abilities } : {}) });
    for (const deed of deedsBetween(before, report, at)) tell({ kind: "tui", tui: name, ...deed });
    known.set(id, { name, report, at });
  }

  return {
    forget: () => known.clear(),
    follow(presence: Presence): void {
      gone(presence);
      for (const terminal of presence.values()) meet(terminal);
    },
  };
}

function deedsBetween(before: Known | undefined, report: FocusReport, at: number): Deed[] {
  const deeds = [...viewDeed(before?.report.view, report.view), ...focusDeed(before?.report.focus, report.focus)];
  const lived = before !== undefined && report.idleMs < before.report.idleMs + (at - before.at) - lifeSlackMs;
  return deeds.length === 0 && lived ? [{ op: "input" }] : deeds;
}

/** A new terminal shows the start screen, until it says otherwise. */
function viewDeed(before: FocusReport["view"] = { type: "home" }, now: FocusReport["view"]): Deed[] {
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  return [{ op: "view", view: now.type === "session" ? { type: "session", sessionID: now.sessionID } : now }];
}

function focusDeed(before: FocusReport["focus"] = "unknown", now: FocusReport["focus"]): Deed[] {
  return now === before || now === "unknown" ? [] : [{ op: now === "focused" ? "focus" : "blur" }];
}
