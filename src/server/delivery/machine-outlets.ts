import type { Clock } from "../../shared/clock.ts";
import type { NoteEvent, Outlet } from "./channel.ts";
import type { Environment } from "./find-program.ts";
import { lazyOutlet } from "./lazy-outlet.ts";
import type { Platform } from "./platform.ts";
import type { RunProgram } from "./run-program.ts";
import { players } from "./sounds.ts";
import { voiceName } from "./voice-name.ts";

export type MachineParts = {
  platform: Platform;
  env: Environment;
  clock: Clock;
  onNote?: (event: NoteEvent) => void;
  programs(): Promise<RunProgram>;
};

/** What a platform has, best first. Each is loaded at its first note. */
export function bannerOutlets(parts: MachineParts): Outlet[] {
  switch (parts.platform) {
    case "linux":
      return [dbus(parts), notifySend(parts)];
    case "darwin":
      return [alerter(parts), terminalNotifier(parts), osascript(parts)];
    case "wsl":
      return [dbus(parts), toast(parts, "wsl")]; // the first where WSLg has a daemon
    case "win32":
      return [toast(parts, "win32")];
    case "other":
      return [];
  }
}

export function voiceOutlets(parts: MachineParts): Outlet[] {
  const linux = [spoken(parts, "spdSay"), spoken(parts, "espeakNG"), spoken(parts, "espeak")];
  switch (parts.platform) {
    case "darwin":
      return [spoken(parts, "say")];
    case "linux":
      return linux;
    case "wsl":
      return [windowsVoice(parts, "wsl"), ...linux];
    case "win32":
      return [windowsVoice(parts, "win32")];
    case "other":
      return [];
  }
}

export const soundOutlets = ({ platform, env, programs }: MachineParts): Outlet[] =>
  players(platform, env).map((player) =>
    lazyOutlet(
      player.name,
      async () => {
        const [{ createSpeaker }, run] = await Promise.all([import("./speaker.ts"), programs()]);
        return createSpeaker(player, { env, run });
      },
      player.takes,
    ),
  );

const dbus = (parts: MachineParts): Outlet =>
  lazyOutlet("dbus", async () => {
    const [{ createDbusBanner }, { openBus }, { sessionBusPaths }] = await Promise.all([
      import("./dbus-banner.ts"),
      import("./open-bus.ts"),
      import("./bus-address.ts"),
    ]);
    return createDbusBanner({ ...parts, openBus, paths: sessionBusPaths(parts.env) });
  });

const notifySend = ({ env, programs }: MachineParts): Outlet =>
  lazyOutlet("notify-send", async () => {
    const [{ createNotifySend }, run] = await Promise.all([import("./notify-send.ts"), programs()]);
    return createNotifySend({ env, run });
  });

const alerter = (parts: MachineParts): Outlet =>
  lazyOutlet("alerter", async () => (await import("./alerter.ts")).createAlerter(parts));

const terminalNotifier = ({ env, programs }: MachineParts): Outlet =>
  lazyOutlet("terminal-notifier", async () => {
    const [{ createTerminalNotifier }, run] = await Promise.all([import("./terminal-notifier.ts"), programs()]);
    return createTerminalNotifier({ env, run });
  });

const osascript = ({ env, programs }: MachineParts): Outlet =>
  lazyOutlet("osascript", async () => {
    const [{ createOsascript }, run] = await Promise.all([import("./osascript.ts"), programs()]);
    return createOsascript({ env, run });
  });

const toast = ({ env, programs }: MachineParts, platform: "win32" | "wsl"): Outlet =>
  lazyOutlet("windows-toast", async () => {
    const [{ createWindowsToast }, run] = await Promise.all([import("./windows-toast.ts"), programs()]);
    return createWindowsToast({ env, run, platform });
  });

const windowsVoice = ({ env, programs }: MachineParts, platform: "win32" | "wsl"): Outlet =>
  lazyOutlet("windows-voice", async () => {
    const [{ createSpeaker }, voice, run] = await Promise.all([
      import("./speaker.ts"),
      import("./windows-voice.ts"),
      programs(),
    ]);
    return createSpeaker(voice.windowsVoice(platform, env), { env, run });
  });

const voiceNames = { say: "say", spdSay: "spd-say", espeakNG: "espeak-ng", espeak: "espeak" } as const;

const spoken = ({ env, programs }: MachineParts, which: keyof typeof voiceNames): Outlet =>
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
