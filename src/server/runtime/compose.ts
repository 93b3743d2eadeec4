import { homedir } from "node:os";
import process from "node:process";
import { nanoid } from "nanoid/non-secure";
import type { Place } from "../config/location.ts";
import { lazyTools } from "../tools/lazy-tools.ts";
import type { Tool } from "../tools/tool.ts";
import type { HostQueries } from "./host.ts";
import { type Registration, register } from "./instances.ts";
import { createRuntime } from "./runtime.ts";

export type Composition = { registration: Registration; tools: Tool[] };

export type ComposeOptions = { line: "v1" | "v2"; directory: string; queries: HostQueries };

/** Registers this plugin instance with the process's one runtime. The only file that knows everybody. */
export function compose({ line, directory, queries }: ComposeOptions): Composition {
  const place: Place = { env: process.env, platform: process.platform, home: homedir() };
  const registration = register({
    id: nanoid(),
    directory,
    queries,
    start: (beginning) => createRuntime({ line, place, pid: process.pid, oneShot: isOneShot(process.argv) }, beginning),
  });
  let tools: Promise<readonly Tool[]> | undefined;
  const load = (): Promise<readonly Tool[]> => {
    tools ??= import("./real-tools.ts").then(({ createRealTools }) => createRealTools(place, registration.runtime));
    return tools;
  };
  return { registration, tools: lazyTools(load) };
}

/** `opencode run …`: the first word that is no flag, no flag's value and no path (opencode 1.18.33). */
export const isOneShot = (argv: readonly string[]): boolean =>
  argv.find((word, at) => at > 0 && !/^[-/]|^[A-Za-z]:\\/.test(word) && argv[at - 1] !== "--log-level") === "run";
