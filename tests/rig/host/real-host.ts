import type { HostUnderTest } from "../../scenarios/host-under-test.ts";
import { type ModelServer, startModel } from "../model/model-server.ts";
import { createAsks } from "./driven-asks.ts";
import { createSessions } from "./driven-sessions.ts";
import { type IsolatedHome, isolatedHome } from "./isolated-home.ts";
import { awaitLine, readJournal } from "./journal.ts";
import { type ProjectOptions, writeProject } from "./project.ts";
import { type HostServer, startServer } from "./start-server.ts";

/** opencode 1.18 as a person has it, plus what only this rig can tell. */
export type RealHost = HostUnderTest &
  ReturnType<typeof createSessions> & { line: "v1"; home: IsolatedHome; model: ModelServer; server: HostServer };

export type RealHostOptions = Omit<ProjectOptions, "modelURL"> & {
  /** Added to the environment of the host, or replacing a part of it. */
  env?: Record<string, string>;
  /** Runs when the home is there and the host is not: the place for a config file. */
  prepare?(home: IsolatedHome): void;
};

/** Children of a session follow the project's table, not the session's own rules. */
const forChildren = { edit: "ask", question: "allow" } as const;

/** Starts a model and a host and hands both out as one. */
export async function startRealHost(options: RealHostOptions): Promise<RealHost> {
  const [home, model] = [isolatedHome(), await startModel()];
  writeProject(home, { permission: forChildren, ...options, modelURL: model.baseURL });
  options.prepare?.(home);
  const server = await startServer(home, options.env).catch(async (error: unknown) => {
    await model.close();
    home.remove();
    throw error;
  });
  return driveHost(home, model, server);
}

function driveHost(home: IsolatedHome, model: ModelServer, server: HostServer): RealHost {
  const sessions = createSessions(server);
  const decided: HostUnderTest["decided"] = (predicate) => awaitLine(home.beckonState, predicate);
  return {
    line: "v1",
    home,
    model,
    server,
    ...sessions,
    ...createAsks(server),
    decisions: async () => readJournal(home.beckonState),
    decided,
    async settled() {
      const marker = await sessions.newSession();
      await sessions.prompt(marker, `[bash echo marker ${marker}]`);
      await decided((line) => line.sessionID === marker && line.alert === "done");
    },
    async close() {
      await server.close();
      await model.close();
      home.remove();
    },
  };
}
