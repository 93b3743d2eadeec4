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
export function takeSnapshot(sources: Sources): Environment {
  return new Snapshot(sources);
}

class Snapshot implements Environment {
  readonly now: number;
  readonly wall: number;
  readonly can: Abilities;
  readonly #sources: Sources;
  #config: Config | undefined;
  #wording: Wording | undefined;
  #presence: Presence | undefined;
  #muted: { until: number | undefined } | undefined;

  constructor(sources: Sources) {
    this.now = sources.clock.now();
    this.wall = sources.clock.wall();
    this.can = sources.can;
    this.#sources = sources;
  }

  get timeZone(): string | undefined {
    return this.#sources.timeZone;
  }

  get directory(): string | undefined {
    return this.#sources.directory;
  }

  get config(): Config {
    this.#config ??= this.#sources.config();
    return this.#config;
  }

  get wording(): Wording {
    this.#wording ??= this.#sources.wording(this.config);
    return this.#wording;
  }

  get presence(): Presence {
    this.#presence ??= this.#sources.presence();
    return this.#presence;
  }

  get mutedUntil(): number | undefined {
    this.#muted ??= { until: this.#sources.mutedUntil() };
    return this.#muted.until;
  }
}
