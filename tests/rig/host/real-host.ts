import type { Ask, HostUnderTest } from "../../scenarios/host-under-test.ts";
import { type ModelServer, startModel } from "../model/model-server.ts";
import { type IsolatedHome, isolatedHome } from "./isolated-home.ts";
import { awaitLine, readJournal } from "./journal.ts";
import { type ProjectOptions, writeProject } from "./project.ts";
import { type HostServer, startServer } from "./start-server.ts";
import { waitFor, waitUntil } from "./wait-for.ts";

/** opencode 1.18 as a person has it, plus what only this rig can tell. */
export type RealHost = Omit<HostUnderTest, "newSession"> & {
  line: "v1";
  newSession(options?: { ask?: string[]; title?: string }): Promise<string>;
  home: IsolatedHome;
  model: ModelServer;
  server: HostServer;
  /** Sessions get titles of their own, so that a banner tells whose it is. */
  titleOf(sessionID: string): string;
  /** Waits until the host says that this session works. */
  working(sessionID: string): Promise<void>;
  /** A prompt nobody typed: all its parts are synthetic. */
  promptSynthetic(sessionID: string, text: string): Promise<void>;
};

export type RealHostOptions = Omit<ProjectOptions, "modelURL"> & {
  /** Added to the environment of the host, or replacing a part of it. */
  env?: Record<string, string>;
  /** Runs when the home is there and the host is not: the place for a config file. */
  prepare?(home: IsolatedHome): void;
};

const askable = ["bash", "edit"];
/** Children of a session follow the project's table, not the session's own rules: "edit" asks in them, and they may ask questions. */
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
  const { client, events } = server;
  const titles = new Map<string, string>();
  const handedOut = new Set<string>();
  const endsBefore = new Map<string, number>();

  async function send(sessionID: string, text: string, synthetic: boolean) {
    endsBefore.set(sessionID, events.endsOf(sessionID));
    await client.prompt(sessionID, [{ type: "text", text, ...(synthetic ? { synthetic } : {}) }]);
  }

  const newSession: RealHost["newSession"] = async ({ ask = [], title = `Session ${titles.size + 1}` } = {}) => {
    const rules = askable.map((permission) => {
      const action = ask.includes(permission) ? ("ask" as const) : ("allow" as const);
      return { permission, pattern: "*", action };
    });
    const { id } = await client.createSession(title, rules);
    titles.set(id, title);
    return id;
  };

  const decided: HostUnderTest["decided"] = (predicate) => awaitLine(home.beckonState, predicate);

  function nextAsk(sessionID?: string): Promise<Ask> {
    const isNext = (ask: Ask) =>
      !handedOut.has(ask.requestID) && (sessionID === undefined || ask.sessionID === sessionID);
    return waitFor(`an ask of ${sessionID ?? "any session"}`, () => {
      const ask = events.asks().find(isNext);
      if (ask !== undefined) handedOut.add(ask.requestID);
      return ask;
    });
  }

  return {
    line: "v1",
    home,
    model,
    server,
    titleOf: (sessionID) => titles.get(sessionID) ?? "",
    newSession,
    prompt: (sessionID, text) => send(sessionID, text, false),
    promptSynthetic: (sessionID, text) => send(sessionID, text, true),
    nextAsk,
    reply: async (requestID, answer, message) => void (await client.replyPermission(requestID, answer, message)),
    answer: async (requestID) => void (await client.answerQuestion(requestID, events.firstOptions(requestID))),
    dismiss: async (requestID) => void (await client.rejectQuestion(requestID)),
    abort: async (sessionID) => void (await client.abort(sessionID)),
    remove: async (sessionID) => void (await client.remove(sessionID)),
    ended: (sessionID) =>
      waitUntil(`the end of ${sessionID}'s run`, () => events.endsOf(sessionID) > (endsBefore.get(sessionID) ?? 0)),
    working: (sessionID) => waitUntil(`work of ${sessionID}`, () => events.statusOf(sessionID) === "busy"),
    retrying: (sessionID) => waitUntil(`a retry of ${sessionID}`, () => events.statusOf(sessionID) === "retry"),
    decisions: async () => readJournal(home.beckonState),
    decided,
    async settled() {
      const marker = await newSession();
      await send(marker, `[bash echo marker ${marker}]`, false);
      await decided((line) => line.sessionID === marker && line.alert === "done");
    },
    async close() {
      await server.close();
      await model.close();
      home.remove();
    },
  };
}
