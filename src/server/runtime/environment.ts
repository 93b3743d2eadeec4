import type { Clock } from "../../shared/clock.ts";
import type { Config } from "../config/schema.ts";
import type { Abilities, Environment } from "../core/environment.ts";
import type { Wording } from "../core/wording/wording.ts";
import type { Presence } from "../focus/presence.ts";

export type Sources = {
  clock: Clock;
  config(): Config;
  wording(config: Config): Wording;
  presence(): Presence;
  mutedUntil(): number | undefined;
  timeZone?: string;
  directory?: string;
  can: Abilities;
};

/** One snapshot for one step. What a step does not ask for is not read: most events need no configuration. */
export function takeSnapshot({ clock, can, timeZone, directory, ...sources }: Sources): Environment {
  return {
    now: clock.now(),
    wall: clock.wall(),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(directory === undefined ? {} : { directory }),
    can,
    get config() {
      return once(this, "config", sources.config());
    },
    get wording() {
      return once(this, "wording", sources.wording(this.config));
    },
    get presence() {
      return once(this, "presence", sources.presence());
    },
    get mutedUntil() {
      return once(this, "mutedUntil", sources.mutedUntil());
    },
  };
}

function once<T>(snapshot: Environment, name: keyof Environment, value: T): T {
  Object.defineProperty(snapshot, name, { value });
  return value;
}
