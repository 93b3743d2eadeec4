import type { Clock } from "../../shared/clock.ts";
import type { Config } from "../config/schema.ts";
import { createTimers } from "../session/timers.ts";
import type { Call } from "./call.ts";
import type { DeliveredReason } from "./decision.ts";

export type PushTarget = Config["alerts"]["push"][number];

export type LaterDeps = {
  clock: Clock;
  config(): Config;
  remind(callID: string): void;
  /** `place`: which of `alerts.push`. */
  push(callID: string, place: number, why: DeliveredReason): void;
  enter(call: Call, run: () => void): void;
};

/** What follows an alert nobody reacted to: reminders of a pause, and messages that leave the machine. */
export function createLater({ clock, config, remind, push, enter }: LaterDeps) {
  const reminding = createTimers(clock);
  const pushing = createTimers(clock);
  const slot = (id: string, place: number): string => `${id} ${place}`;

  /** `gone`: ms since it was handed over. */
  function remindOf(call: Call, gone = 0): void {
    const { afterSeconds, times } = config().alerts.reminder;
    if (call.alert.kind !== "pause" || afterSeconds === 0 || call.reminders >= times) return;
    reminding.set(call.id, Math.max(0, afterSeconds * 1_000 - gone), () => enter(call, () => remind(call.id)));
  }

  function pushAbout(call: Call, gone = 0): void {
    for (const [place, { afterSeconds, events }] of config().alerts.push.entries()) {
      if (!events.includes(call.alert.kind) || call.pushed.has(place)) continue;
      const ms = Math.max(0, afterSeconds * 1_000 - gone);
      pushing.set(slot(call.id, place), ms, () => enter(call, () => push(call.id, place, "overdue")));
    }
  }

  return {
    remindOf,
    pushAbout,
    /** Nothing on the screen is seen now: what would be pushed later leaves at once. */
    pushNow(call: Call, why: DeliveredReason): void {
      for (const place of config().alerts.push.keys()) {
        const key = slot(call.id, place);
        if (!pushing.has(key)) continue;
        pushing.clear(key);
        push(call.id, place, why);
      }
    },
    /** A take-over goes on where the one before it was. */
    resume(call: Call): void {
      const gone = clock.now() - call.since;
      remindOf(call, gone);
      pushAbout(call, gone);
    },
    clear(id: string): void {
      reminding.clear(id);
      for (let place = 0; place < mostTargets; place += 1) pushing.clear(slot(id, place));
    },
    stop(): void {
      reminding.stop();
      pushing.stop();
    },
  };
}

/** As many as the schema allows. */
const mostTargets = 20;
