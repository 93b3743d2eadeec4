import type { Note, Outlet } from "./channel.ts";
import type { Environment } from "./find-program.ts";
import { deliveryOf } from "./program-outlet.ts";
import type { RunProgram } from "./run-program.ts";

export type MacParts = { run: RunProgram; env: Environment };

/** A program of the same name in PATH is not meant. */
export const osascriptPath = "/usr/bin/osascript";

/**
 * The texts are arguments of a constant script: there is nothing to quote. The operand before them ends the parsing
 * of options, so that a text may begin with a dash. Source: osascript(1).
 */
export function osascriptArguments(note: Note): string[] {
  const sound = soundOf(note);
  const show = `display notification (item 3 of argv) with title (item 2 of argv)${sound ? " sound name (item 4 of argv)" : ""}`;
  return [
    ...["-e", "on run argv", "-e", show, "-e", "end run"],
    ...["note", note.title, note.body, ...(sound ? [sound] : [])],
  ];
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
    const args = osascriptArguments(note);
    return deliveryOf("osascript", await run({ program: osascriptPath, args, env, deadlineMs: 5_000, signal }));
  },
});
