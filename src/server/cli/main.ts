#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runProgram } from "../delivery/run-program.ts";
import type { Context } from "./context.ts";
import { run } from "./run.ts";

/** The only file of the command that prints and exits. */
async function main(): Promise<void> {
  const hold = setInterval(() => {}, 2 ** 30); // what we wait for (children, sockets, timers) holds nothing itself
  const code = await run(process.argv.slice(2), processContext());
  clearInterval(hold);
  process.stdout.write("", () => process.exit(code));
}

function processContext(): Context {
  const packageRoot = fileURLToPath(new URL("../../../", import.meta.url)).replace(/[/\\]$/, "");
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return {
    out: processOut(),
    place: { env: process.env, platform: process.platform, home: homedir() },
    cwd: process.cwd(),
    packageRoot,
    version: String(JSON.parse(readFileSync(`${packageRoot}/package.json`, "utf8")).version),
    runProgram,
    wall: Date.now,
    signal: stop.signal,
  };
}

function processOut(): Context["out"] {
  const { stdout, stderr, env } = process;
  // «beckon why | head» closes the pipe early; that is no fault of anybody.
  for (const stream of [stdout, stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 70));
  return {
    write: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
    colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
    ...(stdout.isTTY === true ? { columns: stdout.columns } : {}),
  };
}

await main();
