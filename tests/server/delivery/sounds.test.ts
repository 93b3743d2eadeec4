import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createChannels } from "../../../src/server/delivery/channels.ts";
import { linuxSoundFile, macSoundFile, soundName } from "../../../src/server/delivery/sound-file.ts";
import { players } from "../../../src/server/delivery/sounds.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { noteOf } from "./note.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "beckon-sounds-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (...path: string[]) => {
  const file = join(home, ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  return file;
};
const theme = (name: string) => put("data/sounds/freedesktop/stereo", name);
const env = () => ({ HOME: home, XDG_DATA_HOME: join(home, "data"), XDG_DATA_DIRS: "/nowhere" });

describe("the file of a sound", () => {
  test.each([
    ["pause", "message-new-instant"],
    ["done", "complete"],
    ["error", "dialog-error"],
    ["notify", "message-new-instant"],
  ] as const)("of a %s is the theme's %s when none is named", (kind, name) => {
    const file = theme(`${name}.oga`);
    expect(linuxSoundFile(noteOf({ kind, sound: null }), env())).toBe(file);
  });

  test("is the one that is named, with its ending or without", () => {
    const file = theme("bell.wav");
    expect(linuxSoundFile(noteOf({ sound: "bell" }), env())).toBe(file);
    expect(linuxSoundFile(noteOf({ sound: "bell.wav" }), env())).toBe(file);
  });

  test("is one by its whole path, or of the home folder", () => {
    const file = put("ding.wav");
    expect(linuxSoundFile(noteOf({ sound: file }), env())).toBe(file);
    expect(linuxSoundFile(noteOf({ sound: "~/ding.wav" }), env())).toBe(file);
    expect(macSoundFile(noteOf({ sound: "~/ding.wav" }), env())).toBe(file);
  });

  test("of a Mac is one of its sounds by name", () => {
    const file = put("Library/Sounds/Glass.aiff");
    expect(macSoundFile(noteOf({ sound: "Glass" }), env())).toBe(file);
    const submarine = put("Library/Sounds/Submarine.aiff");
    expect(macSoundFile(noteOf({ sound: null }), env())).toBe(submarine);
  });

  test.each(["../secret", "-f", "ding.wav", "", "a/b", "$(id)", "/nowhere/a.wav", "/dev/zero"])(
    "of %j is none",
    (sound) => {
      put("ding.wav");
      expect(linuxSoundFile(noteOf({ sound }), env())).toBeUndefined();
    },
  );

  test("is none where it is a pipe, on which a player would wait", () => {
    execFileSync("mkfifo", [join(home, "pipe.wav")]);
    expect(linuxSoundFile(noteOf({ sound: join(home, "pipe.wav") }), env())).toBeUndefined();
  });

  test.each([
    ["bell", "bell"],
    ["-f", undefined],
    ["a\nb", undefined],
    ["..", undefined],
  ])("named %j has the name %j", (sound, name) => {
    expect(soundName(noteOf({ sound }))).toBe(name);
  });
});

describe("a sound on Linux", () => {
  let folder: ProgramFolder;
  beforeEach(() => {
    folder = createProgramFolder({});
  });
  afterEach(() => folder.remove());
  const channel = () =>
    createChannels({ platform: "linux", env: { ...env(), ...folder.env }, clock: patientClock, log: () => {} }).sound;

  test("is played by the first player that works", async () => {
    const file = theme("complete.oga");
    folder.becomes("pw-play", "exit-1");
    folder.becomes("paplay", "record");
    folder.becomes("aplay", "record");
    expect(await channel()?.send(noteOf({ kind: "done", sound: null }))).toMatchObject({ ok: true, outlet: "paplay" });
    expect(folder.calls()).toEqual([{ program: "paplay", args: [file] }]);
  });

  test("without a file is left to the person's own theme", async () => {
    folder.becomes("pw-play", "record");
    folder.becomes("canberra-gtk-play", "record");
    expect(await channel()?.send(noteOf({ sound: "bell" }))).toMatchObject({ ok: true, outlet: "canberra-gtk-play" });
    expect(folder.calls()).toEqual([{ program: "canberra-gtk-play", args: ["-i", "bell"] }]);
  });

  test("reaches the plainest player only as WAV", async () => {
    const file = put("ding.wav");
    folder.becomes("aplay", "record");
    expect(await channel()?.send(noteOf({ sound: file }))).toMatchObject({ ok: true, outlet: "aplay" });
    expect(folder.calls()).toEqual([{ program: "aplay", args: ["-q", file] }]);
    theme("bell.oga");
    expect(await channel()?.send(noteOf({ sound: "bell" }))).toMatchObject({ ok: false });
  });

  test("that nobody can play is unavailable", async () => {
    expect(await channel()?.send(noteOf({ sound: "-f" }))).toMatchObject({ ok: false, reason: "unavailable" });
  });
});

test("a Mac plays with its own program, and nobody plays on an unknown platform", () => {
  const file = put("Library/Sounds/Submarine.aiff");
  const [player] = players("darwin", env());
  expect(player?.call(noteOf({ sound: null }))).toEqual({ program: "/usr/bin/afplay", args: [file] });
  expect(players("other", env())).toEqual([]);
});
