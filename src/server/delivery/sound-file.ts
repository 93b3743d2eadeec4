import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isSoundName } from "../../shared/sound-name.ts";
import type { Note } from "./channel.ts";
import type { Environment } from "./find-program.ts";

/** The platform's own sound for each kind. Source: freedesktop sound naming specification. */
const freedesktop = {
  pause: "message-new-instant",
  done: "complete",
  error: "dialog-error",
  notify: "message-new-instant",
} as const satisfies Record<Note["kind"], string>;

/** A sound a person or the model named, or undefined when it is none. */
export function soundName({ sound, kind }: Pick<Note, "sound" | "kind">): string | undefined {
  if (sound === undefined || sound === null) return freedesktop[kind];
  return isSoundName(sound) ? sound : undefined;
}

/** The regular file to play on Linux: the one named by its whole path, else of the freedesktop theme. */
export const linuxSoundFile = (note: Note, env: Environment): string | undefined =>
  givenFile(note, env) ?? firstFile(themeFolders(env), soundName(note), [".oga", ".ogg", ".wav", ""]);

/** On a Mac: the one named by its whole path, else of the system's sounds; Submarine when none is named. */
export function macSoundFile(note: Note, env: Environment): string | undefined {
  const folders = [
    ...(env.HOME ? [join(env.HOME, "Library/Sounds")] : []),
    "/Library/Sounds",
    "/System/Library/Sounds",
  ];
  const name = note.sound === null ? "Submarine" : soundName(note);
  return givenFile(note, env) ?? firstFile(folders, name, [".aiff", ".wav", ".m4a", ""]);
}

function givenFile({ sound }: Note, env: Environment): string | undefined {
  const path = sound?.startsWith("~/") && env.HOME ? join(env.HOME, sound.slice(2)) : sound;
  return path && isAbsolute(path) && isFile(path) ? path : undefined;
}

function themeFolders(env: Environment): string[] {
  const home = env.XDG_DATA_HOME ?? (env.HOME ? join(env.HOME, ".local/share") : undefined);
  const system = (env.XDG_DATA_DIRS ?? "/usr/local/share:/usr/share").split(":");
  return [home, ...system]
    .filter((folder) => folder !== undefined && isAbsolute(folder))
    .map((folder) => join(folder ?? "", "sounds/freedesktop/stereo"));
}

const firstFile = (
  folders: readonly string[],
  name: string | undefined,
  endings: readonly string[],
): string | undefined =>
  name === undefined
    ? undefined
    : folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isFile);

/** Not a pipe or a device: a player would wait on it. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
