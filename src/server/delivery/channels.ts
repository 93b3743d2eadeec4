import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Channel, Channels, NoteEvent, Outlet, StillUp } from "./channel.ts";
import { channelDeadlinesMs } from "./channel-deadlines.ts";
import { createChannel } from "./create-channel.ts";
import type { Environment } from "./find-program.ts";
import { bannerOutlets, type MachineParts, soundOutlets, voiceOutlets } from "./machine-outlets.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { Platform } from "./platform.ts";
import type { RunProgram } from "./run-program.ts";

export type ChannelsParts = {
  platform: Platform;
  env: Environment;
  clock: Clock;
  log: Log;
  /** Clicks and closings of banners, where the platform tells. */
  onNote?: (event: NoteEvent) => void;
  /** What the channels before these had up. */
  adopted?: StillUp["channels"];
};

const mostPrograms = 4;
const mostSpeechesWaiting = 3;
const mostSoundsWaiting = 1;
/** PowerShell takes its time to start, ms. */
const windowsBannerDeadlineMs = 15_000;

/**
 * The channels of this machine: banner, voice, sound. Each exists on every platform; where nothing can serve it, it
 * answers `unavailable` and runs nothing. Nothing is started before the first note.
 */
export function createChannels(given: ChannelsParts): Channels {
  const parts: MachineParts = { ...given, programs: lazyPrograms() };
  const { platform } = given;
  const isWindows = platform === "win32" || platform === "wsl";
  const channel = (name: "banner" | "voice" | "sound", outlets: readonly Outlet[], deadlineMs: number): Channel =>
    createChannel({
      ...given,
      name,
      outlets,
      deadlineMs,
      playsSound: name === "banner" && platform === "darwin",
      adopted: given.adopted?.[name] ?? [],
    });
  const bannerDeadlineMs = isWindows ? windowsBannerDeadlineMs : channelDeadlinesMs.banner;
  return {
    banner: channel("banner", bannerOutlets(parts), bannerDeadlineMs),
    voice: oneAtATime(channel("voice", voiceOutlets(parts), channelDeadlinesMs.voice), mostSpeechesWaiting),
    sound: oneAtATime(channel("sound", soundOutlets(parts), channelDeadlinesMs.sound), mostSoundsWaiting),
  };
}

/** One queue for the programs of all channels. */
function lazyPrograms(): MachineParts["programs"] {
  let loading: Promise<RunProgram> | undefined;
  return () => {
    loading ??= Promise.all([import("./few-programs.ts"), import("./run-program.ts")]).then(
      ([{ fewPrograms }, { runProgram }]) => fewPrograms(runProgram, mostPrograms),
    );
    return loading;
  };
}
