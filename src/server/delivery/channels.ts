import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Channel, Channels, NoteEvent, Outlet } from "./channel.ts";
import { createChannel } from "./create-channel.ts";
import type { Environment } from "./find-program.ts";
import { lazyOutlet } from "./lazy-outlet.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { Platform } from "./platform.ts";
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
const speechDeadlineMs = 30_000;
const mostSpeechesWaiting = 3;

/**
 * The channels of this machine. Every one exists on every platform; where nothing can serve it, it answers
 * `unavailable` and runs nothing. Nothing is loaded or started before the first note.
 */
export function createChannels(parts: ChannelsParts): Channels {
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

function bannerOutlets(parts: ChannelsParts): Outlet[] {
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

const linuxBanners = (parts: ChannelsParts): Outlet[] => [
  lazyOutlet("dbus", async () => {
    const [{ createDbusBanner }, { openBus }, { sessionBusPaths }] = await Promise.all([
      import("./dbus-banner.ts"),
      import("./open-bus.ts"),
      import("./bus-address.ts"),
    ]);
    return createDbusBanner({ ...parts, openBus, paths: sessionBusPaths(parts.env) });
  }),
  lazyOutlet("notify-send", async () => {
    const [{ createNotifySend }, { runProgram }] = await Promise.all([
      import("./notify-send.ts"),
      import("./run-program.ts"),
    ]);
    return createNotifySend({ env: parts.env, run: runProgram });
  }),
];

const macBanners = (parts: ChannelsParts): Outlet[] => [
  lazyOutlet("alerter", async () => {
    const [{ createAlerter }, { runProgram }] = await Promise.all([import("./alerter.ts"), import("./run-program.ts")]);
    return createAlerter({ ...parts, run: runProgram });
  }),
  lazyOutlet("terminal-notifier", async () => {
    const [{ createTerminalNotifier }, { runProgram }] = await Promise.all([
      import("./terminal-notifier.ts"),
      import("./run-program.ts"),
    ]);
    return createTerminalNotifier({ env: parts.env, run: runProgram });
  }),
  lazyOutlet("osascript", async () => {
    const [{ createOsascript }, { runProgram }] = await Promise.all([
      import("./osascript.ts"),
      import("./run-program.ts"),
    ]);
    return createOsascript({ env: parts.env, run: runProgram });
  }),
];

function voiceOutlets(parts: ChannelsParts): Outlet[] {
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

const programs = { say: "say", spdSay: "spd-say", espeakNG: "espeak-ng", espeak: "espeak" } as const;

const spoken = ({ env }: ChannelsParts, which: keyof typeof programs): Outlet =>
  lazyOutlet(
    programs[which],
    async () => {
      const [{ createSpeaker }, voices, { runProgram }] = await Promise.all([
        import("./speaker.ts"),
        import("./voices.ts"),
        import("./run-program.ts"),
      ]);
      return createSpeaker(voices[which], { env, run: runProgram });
    },
    which === "spdSay" ? ({ voice }) => voiceName(voice) === undefined : undefined,
  );
