import { type Clock, systemClock } from "../../shared/clock.ts";
import { tellBugsTo } from "../../shared/guard.ts";
import { configFileSource } from "../config/file-source.ts";
import { configPath, mutePath, type Place, stateDir } from "../config/location.ts";
import { createMuteReader } from "../config/mute.ts";
import { mute, muteFileSource, unmute } from "../config/mute-file.ts";
import { type ConfigReader, createConfigReader } from "../config/reader.ts";
import { createDebugLog, type DebugLog } from "../journal/debug-log.ts";
import { createJournal, type Journal } from "../journal/journal.ts";

/** This machine's disk and clock, as one engine uses them. Nothing is read or written before it is needed. */
export type RuntimeServices = {
  place: Place;
  pid: number;
  clock: Clock;
  debug: DebugLog;
  config: ConfigReader;
  journal: Journal;
  /** Epoch ms until which alerts are muted. */
  mutedUntil(): number | undefined;
  /** 0 ends a mute. Says in words what holds now; rejects when the file cannot be written. */
  muteFor(ms: number): Promise<string>;
};

export function createServices(place: Place, pid: number): RuntimeServices {
  const clock = systemClock;
  const folder = stateDir(place);
  const debug = createDebugLog({ stateDir: folder, details: place.env.BECKON_DEBUG === "1", pid, wall: clock.wall });
  const log = debug.problem;
  tellBugsTo(log);
  const muted = createMuteReader({ read: muteFileSource(mutePath(place)), log });
  return {
    place,
    pid,
    clock,
    debug,
    config: createConfigReader({ read: configFileSource(configPath(place)), log }),
    journal: createJournal({ stateDir: folder, log, pid }),
    mutedUntil: muted.until,
    async muteFor(ms) {
      const until = clock.wall() + ms;
      const done = ms === 0 ? await unmute(mutePath(place)) : await mute(mutePath(place), until);
      if (!done.ok) throw new Error(done.error.message);
      return ms === 0 ? "alerts are on" : `muted until ${new Date(until).toISOString()}`;
    },
  };
}
