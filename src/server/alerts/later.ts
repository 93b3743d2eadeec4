import type { Clock } from "../../shared/clock.ts";
import type { Config } from "../config/schema.ts";
import { createTimers } from "../session/timers.ts";
import type { Call } from "./call.ts";

export type PushTarget = Config["alerts"]["push"][number];

export type LaterDeps = {
  clock: Clock;
  config(): Config;
  remind(callID: string): void;
  push(callID: string, target: PushTarget): void;
};

/** What follows an alert nobody reacted to: reminders of a pause, and messages that leave the machine. */
export function createLater({ clock, config, remind, push }: LaterDeps) {
  const reminding = createTimers(clock);
  const pushing = createTimers(clock);
  const slot = (id: string, target: number): string => `${id} ${target}`;

  return {
    remindOf(call: Call): void {
      const { afterSeconds, times } = config().alerts.reminder;
      if (call.alert.kind !== "pause" || afterSeconds === 0 || call.reminders >= times) return;
      reminding.set(call.id, afterSeconds * 1_000, () => remind(call.id));
    },
    pushAbout(call: Call): void {
      for (const [index, target] of config().alerts.push.entries()) {
        if (!target.events.includes(call.alert.kind)) continue;
        pushing.set(slot(call.id, index), target.afterSeconds * 1_000, () => push(call.id, target));
      }
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
