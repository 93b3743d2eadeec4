import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Channel, Channels, NoteEvent, Outlet } from "./channel.ts";
import { createChannel } from "./create-channel.ts";
import type { Environment } from "./find-program.ts";
import { lazyOutlet } from "./lazy-outlet.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { Platform } from "./platform.ts";
import type { RunProgram } from "./run-program.ts";
import { voiceName } from "./voice-name.ts";

export type ChannelsParts = {
  platform: Platform;
  env: Environment;
  clock: Clock;
  log: Log;
  /** Clicks and closings of banners, where the platform tells. */
  onNote?: (event: NoteEvent) => void;
};

const bannerDeadlineMs = 5_000;
const mostPrograms = 4;
const speechDeadlineMs = 30_000;
const mostSpeechesWaiting = 3;

/**
 * The channels of this machine. Every one exists on every platform; where nothing can serve it, it answers
 * `unavailable` and runs nothing. Nothing is loaded or started before the first note.
 */
export function createChannels(given: ChannelsParts): Channels {
  const parts: Parts = { ...given, programs: lazyPrograms() };
  const channel = (name: Channel["name"], outlets: readonly Outlet[], deadlineMs: number): Channel =>
    createChannel({
      ...parts,
      name,
      outlets,
      deadlineMs,
      playsSound: name === "banner" && parts.platform === "darwin",
    });
  return {
    banner: channel("banner", bannerOutlets(parts), bannerDeadlineMs),
    voice: oneAtATime(channel("voice", voiceOutlets(parts), speechDeadlineMs), mostSpeechesWaiting),
  };
}

type Parts = ChannelsParts & { programs: () => Promise<RunProgram> };

/** One queue for all programs of all channels. */
function lazyPrograms(): Parts["programs"] {
  let loading: Promise<RunProgram> | undefined;
  return () => {
    loading ??= Promise.all([import("./few-programs.ts"), import("./run-program.ts")]).then(
      ([{ fewPrograms }, { runProgram }]) => fewPrograms(runProgram, mostPrograms),
    );
    return loading;
  };
}

function bannerOutlets(parts: Parts): Outlet[] {
  switch (parts.platform) {
    case "linux":
      return linuxBanners(parts);
    case "darwin":
      return macBanners(parts);
    case "win32":
    case "wsl":
    case "other":
      return [];
  }
}

const linuxBanners = (parts: Parts): Outlet[] => [
  lazyOutlet("dbus", async () => {
    const [{ createDbusBanner }, { openBus }, { sessionBusPaths }] = await Promise.all([
      import("./dbus-banner.ts"),
      import("./open-bus.ts"),
      import("./bus-address.ts"),
    ]);
    return createDbusBanner({ ...parts, openBus, paths: sessionBusPaths(parts.env) });
  }),
  lazyOutlet("notify-send", async () => {
    const [{ createNotifySend }, run] = await Promise.all([import("./notify-send.ts"), parts.programs()]);
    return createNotifySend({ env: parts.env, run });
  }),
];

const macBanners = (parts: Parts): Outlet[] => [
  lazyOutlet("alerter", async () => {
    const { createAlerter } = await import("./alerter.ts");
    return createAlerter(parts);
  }),
  lazyOutlet("terminal-notifier", async () => {
    const [{ createTerminalNotifier }, run] = await Promise.all([import("./terminal-notifier.ts"), parts.programs()]);
    return createTerminalNotifier({ env: parts.env, run });
  }),
  lazyOutlet("osascript", async () => {
    const [{ createOsascript }, run] = await Promise.all([import("./osascript.ts"), parts.programs()]);
    return createOsascript({ env: parts.env, run });
  }),
];

function voiceOutlets(parts: Parts): Outlet[] {
  switch (parts.platform) {
    case "darwin":
      return [spoken(parts, "say")];
    case "linux":
    case "wsl":
      return [spoken(parts, "spdSay"), spoken(parts, "espeakNG"), spoken(parts, "espeak")];
    case "win32":
    case "other":
      return [];
  }
}

const voiceNames = { say: "say", spdSay: "spd-say", espeakNG: "espeak-ng", espeak: "espeak" } as const;

const spoken = ({ env, programs }: Parts, which: keyof typeof voiceNames): Outlet =>
  lazyOutlet(
    voiceNames[which],
    async () => {
      const [{ createSpeaker }, voices, run] = await Promise.all([
        import("./speaker.ts"),
        import("./voices.ts"),
        programs(),
      ]);
      return createSpeaker(voices[which], { env, run });
    },
    which === "spdSay" ? ({ voice }) => voiceName(voice) === undefined : undefined,
  );
