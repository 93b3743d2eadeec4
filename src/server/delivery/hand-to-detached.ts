import type { Note } from "./channel.ts";
import { cleanNote } from "./clean-note.ts";
import { type Environment, findProgram } from "./find-program.ts";
import { notifySendArguments } from "./notify-send.ts";
import { osascriptCall, osascriptPath } from "./osascript.ts";
import type { Platform } from "./platform.ts";
import { start } from "./run-program.ts";

/** Seconds after which a notify-send nobody answers is ended: nobody waits for it any more. */
const longestSeconds = "10";

/**
 * For a process that is about to end: a banner by a program that outlives it. True = the program was started; what
 * becomes of it nobody will know.
 */
export function handToDetached(note: Note, { platform, env }: { platform: Platform; env: Environment }): boolean {
  const call = callFor(cleanNote(note), platform, env);
  const path = call && findProgram(call.program, env);
  if (!call || path === undefined) return false;
  return start(path, call.args, { env: call.env, detached: true, stdio: "ignore" }).ok;
}

type Call = { program: string; args: readonly string[]; env: Environment };

function callFor(note: Note, platform: Platform, env: Environment): Call | undefined {
  if (platform === "darwin") return { program: osascriptPath, ...osascriptCall(note, env) };
  if (platform !== "linux" && platform !== "wsl") return undefined;
  const program = findProgram("notify-send", env);
  if (program === undefined) return undefined;
  const oldest = { appName: false, printID: false, replaceID: false };
  const args = notifySendArguments(note, oldest, { markup: true });
  return findProgram("timeout", env) === undefined
    ? { program, args, env }
    : { program: "timeout", args: [longestSeconds, program, ...args], env };
}
