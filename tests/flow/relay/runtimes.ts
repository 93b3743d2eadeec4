import { spawnSync } from "node:child_process";
import { findHost } from "../../rig/host/find-host.ts";
import { newestBun } from "../../rig/newest-bun.ts";

/** A program that runs JavaScript: what it is called in a title, how it is started. */
export type Runtime = { name: string; command: string; args: readonly string[]; env: Record<string, string> };

const host = findHost();
if (!host.ok) throw new Error(host.error);

/** Node, the Bun inside opencode 1.18.33 and the Bun that 2.x hosts bring. */
export const runtimes: readonly Runtime[] = [
  { name: "Node", command: process.execPath, args: [], env: {} },
  { name: "Bun 1.3.14 (opencode's own)", command: host.value, args: ["run"], env: { BUN_BE_BUN: "1" } },
  { name: "Bun 1.4", command: newestBun(), args: ["run"], env: {} },
];

/** What the runtime calls itself: a test that believes it ran under a Bun has to have done so. */
export function versionOf({ command, args, env }: Runtime): string {
  const flags = args.length === 0 ? [] : ["--version"];
  const { stdout } = spawnSync(command, flags.length > 0 ? flags : ["--version"], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return stdout.trim();
}
