import { homedir } from "node:os";
import process from "node:process";
import { nanoid } from "nanoid/non-secure";
import { systemClock } from "../shared/clock.ts";
import { silentLog } from "../shared/log.ts";
import { configFileSource } from "./config/file-source.ts";
import { configPath, type Place } from "./config/location.ts";
import { createConfigReader } from "./config/reader.ts";
import { createConfigStore } from "./config/store.ts";
import { join, type Membership } from "./members.ts";
import { createRunning } from "./running.ts";
import type { HostQueries } from "./session/registry.ts";
import { statusLines } from "./status.ts";
import { createTools } from "./tools/create-tools.ts";
import type { Tool } from "./tools/tool.ts";

export type Composition = { membership: Membership; tools: Tool[] };

export type ComposeOptions = { line: "v1" | "v2"; directory: string; queries: HostQueries };

/** Joins this plugin instance to the process's one engine. The only file that knows everybody. */
export function compose({ line, directory, queries }: ComposeOptions): Composition {
  const place: Place = { env: process.env, platform: process.platform, home: homedir() };
  const path = configPath(place);
  const read = configFileSource(path);
  const config = createConfigStore({ path, read, reader: createConfigReader({ read, log: silentLog }) });
  const membership = join(
    {
      id: nanoid(),
      directory,
      queries,
      start: (state, household) =>
        createRunning({ line, place, pid: process.pid, oneShot: isOneShot(process.argv) }, household, state),
    },
    { now: systemClock.now },
  );
  const running = () => {
    const now = membership.running();
    if (now === undefined) throw new Error("opencode-beckon has been closed in this process");
    return now;
  };
  const tools = createTools({
    config,
    notify: (request) => running().notify(request),
    statusText: () => statusLines(running().status()).join("\n"),
  });
  return { membership, tools };
}

/** `opencode run …`: the first word that is no flag, no flag's value and no path (contracts/opencode-v1.md section 1). */
export const isOneShot = (argv: readonly string[]): boolean =>
  argv.find((word, at) => at > 0 && !/^[-/]|^[A-Za-z]:\\/.test(word) && argv[at - 1] !== "--log-level") === "run";
