import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findHost } from "../rig/host/find-host.ts";
import { newestBun } from "../rig/newest-bun.ts";

/** A program that runs our files: `program ...args script`. */
export type Runtime = { name: string; program: string; args: string[]; env: Record<string, string> };

/** Node, the Bun inside the host, and the newest Bun line. Throws when a development dependency is not installed. */
export function runtimes(): Runtime[] {
  const host = findHost();
  if (!host.ok) throw new Error(host.error);
  return [
    { name: "Node", program: process.execPath, args: [], env: {} },
    { name: "the host's own Bun 1.3.14", program: host.value, args: ["run"], env: { BUN_BE_BUN: "1" } },
    { name: "Bun 1.4", program: newestBun(), args: ["run"], env: {} },
  ];
}

/** Runs a script to its end. Rejects on another exit code than 0, with what was printed on stderr. */
export async function runScript(
  runtime: Runtime,
  script: string,
  cwd: string,
): Promise<{ stdout: string; stderr: string }> {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const env = { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), ...runtime.env };
  return promisify(execFile)(runtime.program, [...runtime.args, script], { cwd, env, timeout: 60_000 });
}
