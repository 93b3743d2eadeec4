import type { Note } from "./channel.ts";
import { cleanNote } from "./clean-note.ts";
import { type Environment, findProgram } from "./find-program.ts";
import { notifySendArguments } from "./notify-send.ts";
import { osascriptArguments, osascriptPath } from "./osascript.ts";
import type { Platform } from "./platform.ts";
import { start } from "./run-program.ts";

/** Seconds after which a notify-send nobody answers is ended: nobody waits for it any more. */
const longestSeconds = "10";

/**
 * For a process that is about to end: a banner by a program that outlives it. True = the program was started; what
 * becomes of it nobody will know.
 */
export function handToDetached(note: Note, { platform, env }: { platform: Platform; env: Environment }): boolean {
  const command = commandFor(cleanNote(note), platform, env);
  const path = command && findProgram(command[0], env);
  if (!command || path === undefined) return false;
  return start(path, command.slice(1), { env, detached: true, stdio: "ignore" }).ok;
}

function commandFor(note: Note, platform: Platform, env: Environment): [string, ...string[]] | undefined {
  if (platform === "darwin") return [osascriptPath, ...osascriptArguments(note)];
  if (platform !== "linux" && platform !== "wsl") return undefined;
  const notifySend = findProgram("notify-send", env);
  if (notifySend === undefined) return undefined;
  const oldest = { appName: false, printID: false, replaceID: false };
  const args = [notifySend, ...notifySendArguments(note, oldest, { markup: true })] as const;
  return findProgram("timeout", env) === undefined ? [...args] : ["timeout", longestSeconds, ...args];
}
