import type { Clock } from "../shared/clock.ts";
import type { FocusReport } from "../shared/focus.ts";
import { guarded } from "../shared/guard.ts";
import { type FocusState, type Happening, isTurn, nextState, reportOf } from "./focus-state.ts";

/** How often the whole state is told when nothing happens. */
const heartbeatMs = 10_000;
/** Typing is one long sign of life: told once a second. */
const lifeMs = 1_000;
/** Turns closer together than this are told as one; the relay takes 50 frames a second. */
const turnMs = 25;

export type FocusReporter = {
  happened(happening: Happening): void;
  report(): FocusReport;
  stop(): void;
};

export type FocusReporterDeps = {
  clock: Clock;
  /** Kept outside, so that a reloaded plugin goes on where it was. */
  memory: { state: FocusState };
  tell(report: FocusReport): void;
};

/** Folds what happens in the terminal and says when it has to be told: turns at once, life each second, all each 10 s. */
export function createFocusReporter({ clock, memory, ...deps }: FocusReporterDeps): FocusReporter {
  const tell = guarded("report", deps.tell); // the next one is due whatever became of this one
  const moment = () => ({ now: clock.now(), wall: clock.wall() });
  let toldAt = Number.NEGATIVE_INFINITY;
  let dueAt = Number.POSITIVE_INFINITY;
  let cancel = () => {};
  let over = false;

  const report = () => reportOf(memory.state, moment());

  function tellNow(): void {
    toldAt = clock.now();
    dueAt = Number.POSITIVE_INFINITY;
    tell(report());
    tellIn(heartbeatMs);
  }

  /** Not before `gapMs` after the last time; an earlier appointment stands. */
  function tellIn(gapMs: number): void {
    const at = toldAt + gapMs;
    if (over || at >= dueAt) return;
    cancel();
    if (at <= clock.now()) return tellNow();
    dueAt = at;
    cancel = clock.after(at - clock.now(), tellNow);
  }

  function happened(happening: Happening): void {
    const before = memory.state;
    const after = nextState(before, happening, moment());
    if (over || after === before) return;
    memory.state = after;
    if (happening.type === "suspend") return tellNow(); // the host stops this very process next: later would be never
    tellIn(isTurn(before, after) ? turnMs : lifeMs);
  }

  tellIn(0);
  return {
    happened,
    report,
    stop() {
      over = true;
      cancel();
    },
  };
}
