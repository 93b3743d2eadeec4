import type { Clock } from "../../shared/clock.ts";
import type { Config } from "../config/schema.ts";
import { createTimers } from "../session/timers.ts";
import type { Call } from "./call.ts";
import type { Lookout } from "./lookout.ts";

export type HeldBackDeps = {
  clock: Clock;
  config(): Config;
  lookout: Lookout;
  /** It is told after all. */
  tell(call: Call, reason: "left" | "unseen"): void;
  drop(call: Call): void;
  enter(call: Call, run: () => void): void;
};

/** What somebody looks at: a pause is told when they leave without answering, an end only when nobody stirs. */
export function createHeldBack({ clock, config, lookout, tell, drop, enter }: HeldBackDeps) {
  const watching = createTimers(clock);
  const leaving = createTimers(clock);
  const setFor = (timers: typeof watching, call: Call, ms: number, run: () => void): void =>
    timers.set(call.id, ms, () => enter(call, run));

  function watch(call: Call): void {
    const now = lookout.attended(call);
    if (now === undefined) return leave(call);
    leaving.clear(call.id);
    // The look ends by itself when nothing more is heard: a stare counts as gone after a while.
    if (Number.isFinite(now.until)) setFor(watching, call, Math.max(1, now.until - clock.now()), () => watch(call));
  }

  function leave(call: Call): void {
    watching.clear(call.id);
    if (leaving.has(call.id)) return;
    setFor(leaving, call, config().alerts.focus.leaveSeconds * 1_000, () => {
      if (lookout.attended(call) !== undefined) return watch(call);
      tell(call, "left");
    });
  }

  return {
    watch,
    /** Counted from when it was held back. */
    waitForLife(call: Call, ms: number): void {
      setFor(watching, call, Math.max(1, call.since + ms - clock.now()), () => {
        const isSeen = lookout.lifeSince(call);
        drop(call);
        if (!isSeen) tell(call, "unseen");
      });
    },
    clear(id: string): void {
      watching.clear(id);
      leaving.clear(id);
    },
    stop(): void {
      watching.stop();
      leaving.stop();
    },
  };
}
