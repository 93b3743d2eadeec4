import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { linuxSoundFile } from "../../../src/server/delivery/sound-file.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";
import { noteOf } from "./note.ts";

const folder = tempFolders();

test("sounds come from absolute folders only: a relative one would lie in the project", () => {
  const data = folder();
  const sounds = join(data, "sounds/freedesktop/stereo");
  mkdirSync(sounds, { recursive: true });
  writeFileSync(join(sounds, "ping.oga"), "");
  const note = noteOf({ sound: "ping" });
  const fromHere = relative(process.cwd(), data);
  expect(linuxSoundFile(note, { XDG_DATA_DIRS: data })).toBe(join(sounds, "ping.oga"));
  expect(linuxSoundFile(note, { XDG_DATA_DIRS: fromHere })).toBeUndefined();
  expect(linuxSoundFile(note, { XDG_DATA_HOME: fromHere, XDG_DATA_DIRS: "" })).toBeUndefined();
});
