import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createChannels } from "../../../src/server/delivery/channels.ts";
import type { Platform } from "../../../src/server/delivery/platform.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { type Behaviour, createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { withDesktop } from "../../rig/desktop/with-desktop.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { noteOf } from "./note.ts";
import { childrenOfThisProcess } from "./processes.ts";

let folder: ProgramFolder;
let lines: string[];
beforeEach(() => {
  lines = [];
  folder = createProgramFolder({});
});
afterEach(() => folder.remove());

const channelsOf = (platform: Platform, programs: Record<string, Behaviour> = {}, env: Record<string, string> = {}) => {
  for (const [program, behaviour] of Object.entries(programs)) folder.becomes(program, behaviour);
  return createChannels({
    platform,
    env: { ...folder.env, ...env },
    clock: systemClock,
    log: (line) => lines.push(line),
  });
};

describe("the channels of a machine", () => {
  const programs: [Platform, string[], string[]][] = [
    ["linux", ["dbus", "notify-send"], ["spd-say", "espeak-ng", "espeak"]],
    ["darwin", ["alerter", "terminal-notifier", "osascript"], ["say"]],
  ];
  // A Mac has its own two at their places, and would really notify.
  test.each(programs.filter(([platform]) => platform !== process.platform || platform === "linux"))(
    "on %s without any program fail honestly, with one line for each",
    async (platform, banners, voices) => {
      const channels = channelsOf(platform);
      for (let times = 0; times < 10; times++) {
        expect(await channels.banner?.send(noteOf())).toMatchObject({ ok: false, reason: "unavailable" });
        expect(await channels.voice?.send(noteOf())).toMatchObject({ ok: false, reason: "unavailable" });
      }
      const missing = [...banners.map((name) => `banner: ${name} `), ...voices.map((name) => `voice: ${name} `)];
      expect(lines).toHaveLength(missing.length);
      for (const start of missing) expect(lines.filter((line) => line.startsWith(start))).toHaveLength(1);
    },
  );

  test("elsewhere are unavailable and run nothing", async () => {
    const channels = channelsOf("other", { "notify-send": "record", say: "record", "espeak-ng": "record" });
    expect(await channels.banner?.send(noteOf())).toMatchObject({ ok: false, reason: "unavailable" });
    expect(await channels.voice?.send(noteOf())).toMatchObject({ ok: false, reason: "unavailable" });
    expect(folder.calls()).toEqual([]);
    expect(lines).toEqual([]);
  });

  test("fall back to notify-send where there is no bus library or no bus", async () => {
    const { banner } = channelsOf("linux", { "notify-send": "record" });
    expect(await banner?.send(noteOf())).toMatchObject({ ok: true, outlet: "notify-send" });
  });

  test("speak through speech-dispatcher, and through espeak when a voice is named", async () => {
    const { voice } = channelsOf("linux", { "spd-say": "record", "espeak-ng": "record" });
    expect(await voice?.send(noteOf({ spoken: "--help" }))).toMatchObject({ ok: true, outlet: "spd-say" });
    expect(await voice?.send(noteOf({ spoken: "-v", voice: "en-gb+f3" }))).toMatchObject({
      ok: true,
      outlet: "espeak-ng",
    });
    expect(folder.calls()).toEqual([
      { program: "spd-say", args: ["-e", "-w"], input: " --help\n" },
      { program: "espeak-ng", args: ["--stdin", "-v", "en-gb+f3"], input: "-v" },
    ]);
  });

  test("in WSL are Windows' own where there is no daemon, and Linux' where interop is off", async () => {
    const { banner, voice } = channelsOf("wsl", { "powershell.exe": "record", "espeak-ng": "record" });
    expect(await banner?.send(noteOf())).toMatchObject({ ok: true, outlet: "windows-toast" });
    expect(await voice?.send(noteOf())).toMatchObject({ ok: true, outlet: "windows-voice" });
    folder.becomes("powershell.exe", "exit-1");
    expect(await voice?.send(noteOf({ voice: "en" }))).toMatchObject({ ok: true, outlet: "espeak-ng" });
  });

  test("two hundred alerts leave no process behind, dead or alive", async () => {
    const { banner } = channelsOf("linux", { "notify-send": "record" });
    const sent = Array.from({ length: 200 }, (_, at) => banner?.send(noteOf({ key: `k${at}` })));
    const deliveries = await Promise.all(sent);
    expect(deliveries.length).toBe(200);
    expect(deliveries.some((delivery) => delivery?.ok)).toBe(true);
    await waitUntil("every child to be gone", () =>
      childrenOfThisProcess().every(({ name }) => !name.startsWith("notify")),
    );
  });

  test("close without having been used", async () => {
    const channels = channelsOf("linux");
    for (const channel of Object.values(channels)) await channel.close();
  });
});

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "notify-send",
)("the channels of a Linux desktop", () => {
  test("twenty alerts, each taken back, are all shown and all gone", async () => {
    await withDesktop({}, async (desktop) => {
      const { banner } = createChannels({ platform: "linux", env: desktop.env, clock: patientClock, log: () => {} });
      for (let at = 0; at < 20; at++) {
        expect(await banner?.send(noteOf({ key: `k${at}` }))).toMatchObject({ ok: true, outlet: "dbus" });
        await banner?.withdraw(`k${at}`);
      }
      await desktop.until("all to be closed", (all) =>
        all.filter(({ closed }) => closed).length === 20 ? true : undefined,
      );
      await banner?.close();
    });
  });
});
