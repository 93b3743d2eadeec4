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
  push(callID: string, target: PushTarget, why: DeliveredReason): void;
};

/** What follows an alert nobody reacted to: reminders of a pause, and messages that leave the machine. */
export function createLater({ clock, config, remind, push }: LaterDeps) {
  const reminding = createTimers(clock);
  const pushing = createTimers(clock);
  const slot = (id: string, target: number): string => `${id} ${target}`;

  /** `gone`: ms since it was handed over. */
  function remindOf(call: Call, gone = 0): void {
    const { afterSeconds, times } = config().alerts.reminder;
    if (call.alert.kind !== "pause" || afterSeconds === 0 || call.reminders >= times) return;
    reminding.set(call.id, Math.max(0, afterSeconds * 1_000 - gone), () => remind(call.id));
  }

  function pushAbout(call: Call, gone = 0): void {
    for (const [index, target] of config().alerts.push.entries()) {
      const ms = target.afterSeconds * 1_000 - gone;
      if (!target.events.includes(call.alert.kind) || ms < 0) continue;
      pushing.set(slot(call.id, index), ms, () => push(call.id, target, "overdue"));
    }
  }

  return {
    remindOf,
    pushAbout,
    /** Nothing on the screen is seen now: what would be pushed later leaves at once. */
    pushNow(call: Call, why: DeliveredReason): void {
      call.pushedAtOnce = true;
      for (const [index, target] of config().alerts.push.entries()) {
        const key = slot(call.id, index);
        if (!pushing.has(key)) continue;
        pushing.clear(key);
        push(call.id, target, why);
      }
    },
    /** A take-over goes on where the one before it was. */
    resume(call: Call): void {
      const gone = clock.now() - call.since;
      remindOf(call, gone);
      if (call.pushedAtOnce !== true) pushAbout(call, gone);
    },
    clear(id: string): void {
      reminding.clear(id);
      for (let index = 0; index < mostTargets; index += 1) pushing.clear(slot(id, index));
    },
    stop(): void {
      reminding.stop();
      pushing.stop();
    },
  };
}

/** As many as the schema allows. */
const mostTargets = 20;
