import type { Location } from "./event.ts";
import type { EventStreams } from "./event-streams.ts";
import type { HookCallback, Hooks, Registration } from "./hooks.ts";
import type { PermissionRegistry } from "./permission-registry.ts";
import { inputs, method, sessionInput } from "./promise-method.ts";
import type { RpcRegistration, RpcRegistry } from "./rpc.ts";
import type { SessionApi } from "./session-api.ts";
import { type Database, storageOf } from "./storage.ts";
import type { ToolEditor, ToolRegistry } from "./tool-registry.ts";

/** What one instance of a plugin has taken from its host; all of it ends with the instance (§2.4). */
export type Instance = { pluginID: string; location: Location; registrations: Registration[] };

export type ContextDeps = {
  version: string;
  streams: EventStreams;
  sessions: SessionApi;
  permissions: PermissionRegistry;
  database: Database;
  hooks: Hooks;
  tools: ToolRegistry;
  rpc: RpcRegistry;
  /** §3.1: `session.remove` and `compact` came after 2.0.15. */
  newer: boolean;
  inventory(): unknown[];
  faults: Faults;
};

/** What a test makes the host answer instead. */
export type Faults = { get?: "reject" | "hang"; context?: "reject" | "hang"; permissionList?: "reject" | "hang" };

const never = () => new Promise<never>(() => {});

async function faulty<T>(fault: "reject" | "hang" | undefined, real: () => T): Promise<T> {
  if (fault === "hang") return never();
  if (fault === "reject") throw new Error("scripted failure");
  return real();
}

/** §3.1: the Promise API, and nothing that it has not: no client, form, log, serverUrl, config, tui, directory. */
export function createServerContext(deps: ContextDeps, instance: Instance, options: Record<string, unknown>) {
  const { hooks, tools, rpc, sessions, permissions, streams, faults } = deps;
  const { location } = instance;

  async function keep<T extends Registration>(made: T | Promise<T>): Promise<T> {
    const registration = await made;
    instance.registrations.push(registration);
    return registration;
  }
  const hookOf = (domain: string, known: RegExp) => (name: unknown, callback: unknown) => {
    if (typeof name !== "string" || !known.test(name))
      return Promise.reject(new Error(`Unknown hook: ${String(name)}`));
    if (typeof callback !== "function") return Promise.reject(new Error("Hook needs a callback"));
    const run: HookCallback = (event) => Reflect.apply(callback, undefined, [event]);
    return keep(hooks.add(`${domain}.${name}`, run));
  };
  const registrationOnly = { transform: async () => ({ dispose: async () => {} }), reload: async () => {} };

  return {
    app: { name: "opencode", version: deps.version, channel: "latest" },
    location: { ...location, project: { id: "global", directory: location.directory, canonical: location.directory } },
    options: Object.freeze(structuredClone(options)),
    event: {
      subscribe: (given?: { signal?: AbortSignal }) => streams.subscribe(instance, given?.signal),
    },
    session: {
      get: method(sessionInput, ({ sessionID }) => faulty(faults.get, () => sessions.get(sessionID))),
      context: method(sessionInput, ({ sessionID }) => faulty(faults.context, () => sessions.context(sessionID))),
      create: method(inputs.create, (input) => sessions.create({ location, ...input })),
      prompt: method(inputs.prompt, (input) => sessions.prompt(input)),
      synthetic: method(inputs.synthetic, (input) => sessions.synthetic(input)),
      interrupt: method(inputs.interrupt, async ({ sessionID }) => ({
        interrupted: await sessions.interrupt(sessionID),
      })),
      wait: method(sessionInput, ({ sessionID }) => sessions.wait(sessionID)),
      hook: hookOf("session", /^(prompt|context|compaction|title|retry|system)$/),
      ...(deps.newer
        ? {
            remove: method(sessionInput, ({ sessionID }) => sessions.remove(sessionID)),
            compact: method(sessionInput, ({ sessionID }) => sessions.compact(sessionID)),
          }
        : {}),
    },
    permission: {
      list: method(sessionInput, ({ sessionID }) => faulty(faults.permissionList, () => permissions.list(sessionID))),
      get: method(inputs.permission, ({ sessionID, requestID }) => permissions.get(sessionID, requestID)),
      reply: method(inputs.reply, ({ requestID, decision, message }) =>
        permissions.reply(requestID, decision, message),
      ),
      hook: hookOf("permission", /^evaluate$/),
    },
    tool: {
      transform: (callback: (editor: ToolEditor) => unknown) => keep(tools.transform(callback)),
      hook: hookOf("tool", /^execute\.(before|after)$/),
      list: async () => tools.list().map(({ name, description }) => ({ name, description })),
      reload: async () => {},
    },
    storage: storageOf(deps.database, instance.pluginID),
    rpc: {
      register: (definition: unknown, handlers: unknown): Promise<RpcRegistration> =>
        keep(rpc.register(definition, handlers)),
    },
    plugin: { list: async () => ({ location: { ...location }, data: structuredClone(deps.inventory()) }) },
    agent: registrationOnly,
    aisdk: registrationOnly,
    command: registrationOnly,
    integration: registrationOnly,
    mcp: registrationOnly,
    model: registrationOnly,
    provider: registrationOnly,
    reference: registrationOnly,
    skill: registrationOnly,
  };
}

export type PluginContext = ReturnType<typeof createServerContext>;
