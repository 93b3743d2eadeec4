import type { Note, Outlet } from "./channel.ts";
import type { Environment } from "./find-program.ts";
import { deliveryOf } from "./program-outlet.ts";
import type { RunProgram } from "./run-program.ts";

export type MacParts = { run: RunProgram; env: Environment };

/** A program of the same name in PATH is not meant. */
export const osascriptPath = "/usr/bin/osascript";

/** The script never changes; the note reaches it as data. JavaScript, because AppleScript misreads what is not ASCII in the environment. */
const script = `
const note = JSON.parse(ObjC.unwrap($.NSProcessInfo.processInfo.environment.objectForKey("BECKON_NOTE")));
const app = Application.currentApplication();
app.includeStandardAdditions = true;
app.displayNotification(note.body, note.sound ? { withTitle: note.title, soundName: note.sound } : { withTitle: note.title });`;

/** Every user may read what a program was called with; its environment only its own. Source: ps(1) of macOS. */
export function osascriptCall(note: Note, env: Environment): { args: string[]; env: Environment } {
  const { title, body } = note;
  const data = JSON.stringify({ title, body, sound: soundOf(note) });
  return { args: ["-l", "JavaScript", "-e", script], env: { ...env, BECKON_NOTE: data } };
}

/** null asks for the platform's own; a file cannot be played by a banner. */
export function soundOf({ sound }: Note): string | undefined {
  if (sound === undefined) return undefined;
  return sound === null || sound.includes("/") ? "Submarine" : sound;
}

/** Shown as Script Editor's, cannot be replaced or taken back, and exits 0 when that app may not notify. */
export const createOsascript = ({ run, env }: MacParts): Outlet => ({
  name: "osascript",
  async send(note, signal) {
    const call = { program: osascriptPath, ...osascriptCall(note, env), deadlineMs: 5_000, signal };
    return deliveryOf("osascript", await run(call));
  },
});
