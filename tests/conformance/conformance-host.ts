import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type IsolatedHome, isolatedHome } from "../rig/host/isolated-home.ts";
import { awaitLine, readJournal } from "../rig/host/journal.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { waitFor, waitUntil } from "../rig/host/wait-for.ts";
import type { Ask, HostUnderTest } from "../scenarios/host-under-test.ts";
import { borrowEnvironment } from "./borrowed-environment.ts";
import type { HostEvent } from "./event.ts";
import type { Form } from "./form-registry.ts";
import { type ProcessOptions, type ServerProcess, startProcess } from "./server-process.ts";

/** An opencode 2.x process with beckon in it, driven as a person or another client drives it. */
export type ConformanceHost = HostUnderTest & {
  line: "v2";
  home: IsolatedHome;
  server: ServerProcess;
  titleOf(sessionID: string): string;
  /** A prompt nobody typed. */
  promptSynthetic(sessionID: string, text: string): Promise<void>;
};

export type ConformanceHostOptions = {
  /** Entries of the person's `opencode.json`; beckon's own directory by default. */
  plugins?: unknown[];
  /** The key they stand under; `plugins` by default. */
  key?: "plugin";
  /** Beckon's own configuration. */
  beckon?: unknown;
  env?: Record<string, string>;
  process?: ProcessOptions;
  /** Runs when the folders are there and the host is not. */
  prepare?(home: IsolatedHome): void;
};

const names: Record<string, string> = { bash: "shell", edit: "edit", question: "question" };
const terminal = /^session\.execution\.(succeeded|failed|interrupted)$/;

const isForm = (value: unknown): value is Form => typeof value === "object" && value !== null && "fields" in value;

function askOf({ type, data }: HostEvent): Ask | undefined {
  if (/^permission\.(v2\.)?asked$/.test(type))
    return { requestID: String(data.id), sessionID: String(data.sessionID), about: "permission" };
  if (type !== "form.created" || !isForm(data.form)) return undefined;
  return { requestID: data.form.id, sessionID: data.form.sessionID, about: "question" };
}

function write(file: string, content: unknown) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

/** Nothing of this machine's desktop or of the person who runs the tests reaches the plugin. */
const nobodysDesktop = { DBUS_SESSION_BUS_ADDRESS: undefined, DISPLAY: undefined, WAYLAND_DISPLAY: undefined };

export async function startConformanceHost(options: ConformanceHostOptions = {}): Promise<ConformanceHost> {
  const home = isolatedHome();
  write(join(home.globalConfig, "opencode.json"), {
    [options.key ?? "plugins"]: options.plugins ?? [packageRoot()],
  });
  options.prepare?.(home);
  if (options.beckon !== undefined) write(home.beckonConfig, options.beckon);
  const restore = borrowEnvironment({ ...nobodysDesktop, ...home.env, ...options.env });
  const server = startProcess({ ...options.process, globalConfig: home.globalConfig });
  const host = driveHost(home, server);
  await server.use({ directory: home.project });
  return {
    ...host,
    async close() {
      await server.stop();
      restore();
      home.remove();
    },
  };
}

/** Everything but the way it ends. */
function driveHost(home: IsolatedHome, server: ServerProcess): ConformanceHost {
  const { api, permissions, forms, publisher } = server;
  const location = { directory: home.project };
  const events: HostEvent[] = [];
  publisher.listen((event) => events.push(event));
  const handedOut = new Set<string>();
  const before = new Map<string, number>();
  const titles = new Map<string, string>();

  const count = (sessionID: string, which: RegExp) =>
    events.filter(({ type, data }) => data.sessionID === sessionID && which.test(type)).length;

  async function newSession({ ask = [] }: { ask?: string[] } = {}) {
    const title = `Session ${titles.size + 1}`;
    const asks = ask.map((name) => names[name] ?? name);
    const { id } = await api.create({ title, location, asks });
    titles.set(id, title);
    return id;
  }

  async function prompt(sessionID: string, text: string) {
    before.set(sessionID, count(sessionID, terminal));
    await api.prompt({ sessionID, text });
  }

  function nextAsk(sessionID?: string): Promise<Ask> {
    return waitFor(`an ask of ${sessionID ?? "any session"}`, () => {
      const asks = events.map(askOf).filter((ask) => ask !== undefined);
      const next = asks.find(
        (ask) => !handedOut.has(ask.requestID) && (sessionID === undefined || ask.sessionID === sessionID),
      );
      if (next !== undefined) handedOut.add(next.requestID);
      return next;
    });
  }

  const decided: HostUnderTest["decided"] = (predicate) => awaitLine(home.beckonState, predicate);
  const marksOf = (sessionID: string) => count(sessionID, terminal);

  return {
    line: "v2",
    home,
    server,
    titleOf: (sessionID) => titles.get(sessionID) ?? "",
    newSession,
    prompt,
    async promptSynthetic(sessionID, text) {
      before.set(sessionID, marksOf(sessionID));
      api.synthetic({ sessionID, text });
    },
    nextAsk,
    reply: async (requestID, answer, message) => permissions.reply(requestID, answer, message),
    async answer(requestID) {
      const form = forms.get(requestID);
      const firsts = form?.fields.map(({ key, options = [] }) => [key, options[0]?.value ?? ""]) ?? [];
      forms.reply(requestID, Object.fromEntries(firsts));
    },
    dismiss: async (requestID) => forms.cancel(requestID),
    abort: async (sessionID) => void (await api.interrupt(sessionID)),
    remove: (sessionID) => api.remove(sessionID),
    ended: (sessionID) =>
      waitUntil(`the end of ${sessionID}'s run`, () => marksOf(sessionID) > (before.get(sessionID) ?? 0)),
    retrying: (sessionID) =>
      waitUntil(`a retry of ${sessionID}`, () => count(sessionID, /^session\.retry\.scheduled$/) > 0),
    decisions: async () => readJournal(home.beckonState),
    decided,
    async settled() {
      const marker = await newSession();
      await prompt(marker, `[bash echo marker ${marker}]`);
      await decided((line) => line.sessionID === marker && line.alert === "done");
    },
    close: async () => {},
  };
}
