#!/usr/bin/env node
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import process from "node:process";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
import { runProgram } from "../delivery/run-program.ts";
import { errorCode, errorWords } from "../files/file-error.ts";
import { version } from "../version.ts";
import type { Context } from "./context.ts";
import { exitCode } from "./exit-code.ts";
import { createOut } from "./out.ts";
import { run } from "./run.ts";

/** The only file of the command that prints and exits. */
async function main(): Promise<void> {
  const hold = setInterval(() => {}, 2 ** 30); // what we wait for (children, sockets, timers) holds nothing itself
  const out = processOut();
  const [home, cwd] = [orNone(homedir), orNone(process.cwd)];
  let code: number = exitCode.usage;
  if (home === undefined || !isAbsolute(home))
    out.complain("beckon: no home folder: set HOME to the whole path of a folder of yours\n");
  else if (cwd === undefined)
    out.complain("beckon: the folder you are in does not exist any more; go to another one\n");
  else code = await run(process.argv.slice(2), processContext(out, home, cwd));
  clearInterval(hold);
  process.stdout.write("", (error) => error ?? process.exit(code));
}

/** Node throws for a user without an entry in the system's list, and in a folder that was deleted. */
function orNone(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function processContext(out: Context["out"], home: string, cwd: string): Context {
  const packageRoot = fileURLToPath(new URL("../../../", import.meta.url)).replace(/[/\\]$/, "");
  const stop = new AbortController();
  let stays = false;
  return {
    out,
    place: { env: process.env, platform: process.platform, home },
    cwd,
    packageRoot,
    version,
    runProgram,
    atTerminal: isatty(0) && isatty(1),
    wall: Date.now,
    get signal() {
      if (!stays)
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
      stays = true;
      return stop.signal;
    },
  };
}

function processOut(): Context["out"] {
  const { stdout, stderr, env } = process;
  stderr.on("error", () => {}); // there is nobody to tell
  stdout.on("error", (error) => {
    // «beckon why | head» closes the pipe early; that is no fault of anybody.
    if (errorCode(error) === "EPIPE") process.exit(exitCode.done);
    stderr.write(`beckon: not everything was written: ${errorWords(error)}\n`, () => process.exit(exitCode.finding));
  });
  return createOut({
    write: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
    colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    ...(stdout.isTTY === true ? { columns: stdout.columns } : {}),
  });
}

await main();
