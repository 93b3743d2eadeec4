import { homedir } from "node:os";
import process from "node:process";
import { nanoid } from "nanoid/non-secure";
import type { Place } from "./config/location.ts";
import { join, type Membership } from "./members.ts";
import { createRunning } from "./running.ts";
import type { HostQueries } from "./session/registry.ts";
import { lazyTools } from "./tools/lazy-tools.ts";
import type { Tool } from "./tools/tool.ts";

export type Composition = { membership: Membership; tools: Tool[] };

export type ComposeOptions = { line: "v1" | "v2"; directory: string; queries: HostQueries };

/** Joins this plugin instance to the process's one engine. The only file that knows everybody. */
export function compose({ line, directory, queries }: ComposeOptions): Composition {
  const place: Place = { env: process.env, platform: process.platform, home: homedir() };
  const membership = join({
    id: nanoid(),
    directory,
    queries,
    start: (state, household) =>
      createRunning({ line, place, pid: process.pid, oneShot: isOneShot(process.argv) }, household, state),
  });
  let tools: Promise<readonly Tool[]> | undefined;
  const load = (): Promise<readonly Tool[]> => {
    tools ??= import("./real-tools.ts").then(({ createRealTools }) => createRealTools(place, membership.running));
    return tools;
  };
  return { membership, tools: lazyTools(load) };
}

/** `opencode run …`: the first word that is no flag, no flag's value and no path (contracts/opencode-v1.md section 1). */
export const isOneShot = (argv: readonly string[]): boolean =>
  argv.find((word, at) => at > 0 && !/^[-/]|^[A-Za-z]:\\/.test(word) && argv[at - 1] !== "--log-level") === "run";
