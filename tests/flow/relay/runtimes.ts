import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A program that runs JavaScript: what it is called in a title, how it is started. */
export type Runtime = { name: string; command: string; args: readonly string[]; env: Record<string, string> };

const inModules = (path: string) => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));
const hostBun = inModules("opencode-linux-x64/bin/opencode");
const nextBun = inModules("@oven/bun-linux-x64/bin/bun");

/** Node, the Bun inside opencode 1.18.33 and the Bun that 2.x hosts bring. Other platforms have other packages. */
export const runtimes: readonly Runtime[] = [
  { name: "Node", command: process.execPath, args: [], env: {} },
  ...(existsSync(hostBun)
    ? [{ name: "Bun 1.3.14 (opencode's own)", command: hostBun, args: ["run"], env: { BUN_BE_BUN: "1" } }]
    : []),
  ...(existsSync(nextBun) ? [{ name: "Bun 1.4", command: nextBun, args: ["run"], env: {} }] : []),
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
