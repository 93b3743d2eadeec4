import { type Clock, systemClock } from "../../shared/clock.ts";
import { tellBugsTo } from "../../shared/guard.ts";
import { configFileSource } from "../config/file-source.ts";
import { configPath, mutePath, type Place, stateDir } from "../config/location.ts";
import { createMuteReader } from "../config/mute.ts";
import { mute, muteFileSource, unmute } from "../config/mute-file.ts";
import { type ConfigReader, createConfigReader } from "../config/reader.ts";
import { createDebugLog, type DebugLog } from "../journal/debug-log.ts";
import { createJournal, type Journal } from "../journal/journal.ts";
import { createFreshSettings, type FreshSettings } from "./fresh-settings.ts";

/** This machine's disk and clock, as one decider uses them. Nothing is written before it is needed. */
export type RuntimeServices = {
  place: Place;
  pid: number;
  clock: Clock;
  debug: DebugLog;
  /** As of the last look. */
  config: Omit<ConfigReader, "take">;
  /** What reads the configuration and the mute again before anybody decides. */
  settings: FreshSettings;
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
  const config = createConfigReader({ log });
  const muted = createMuteReader({ log });
  const [configFile, muteFile] = [configFileSource(configPath(place)), muteFileSource(mutePath(place))];
  async function read(): Promise<void> {
    const [configured, mute] = await Promise.all([configFile(), muteFile()]);
    config.take(configured);
    muted.take(mute);
  }
  return {
    place,
    pid,
    clock,
    debug,
    config,
    settings: createFreshSettings({ clock, read }),
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
