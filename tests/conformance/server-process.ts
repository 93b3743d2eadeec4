import { type Clock, systemClock } from "../../src/shared/clock.ts";
import { defaultEngine, type EngineDeps, type EngineOptions } from "./engine.ts";
import { type Location, type LocationHabit, locationKey } from "./event.ts";
import { type Breakage, createEventStreams } from "./event-streams.ts";
import { createExecutor } from "./executor.ts";
import { createFormRegistry } from "./form-registry.ts";
import { createIDs } from "./ids.ts";
import { type OpenLocation, openLocation } from "./location.ts";
import { createModel, type Model } from "./model.ts";
import { createPermissionRegistry } from "./permission-registry.ts";
import { createPluginImports, type ReloadBy } from "./plugin-imports.ts";
import type { LoadingDeps } from "./plugin-loading.ts";
import { createPublisher } from "./publisher.ts";
import type { Faults } from "./server-context.ts";
import { createSession, type NewSession, type Session } from "./session.ts";
import { createSessionApi } from "./session-api.ts";
import { createSessionLog } from "./session-log.ts";
import { createStepLog } from "./step-log.ts";
import { createDatabase, type Database } from "./storage.ts";
import { startSweeper } from "./sweeper.ts";

export type ProcessOptions = {
  clock?: Clock;
  version?: string;
  spelling?: "2.x" | "alpha";
  locations?: LocationHabit;
  created?: "flat" | "nested";
  engine?: Partial<EngineOptions>;
  model?: Model;
  /** The global config folder; none = no config. */
  globalConfig?: string;
  packages?: Record<string, string>;
  builtins?: LoadingDeps["builtins"];
  newer?: boolean;
  database?: Database;
  reloadBy?: ReloadBy;
  /** §4.5: `late` = the first event of a location may come before its plugins are there. */
  activation?: "first" | "late";
  /** §11.3 of the contract: whether `interrupted {shutdown}` reaches a plugin before its cleanup runs. */
  tellShutdown?: boolean;
};

const alphaEngine: Partial<EngineOptions> = { dismissReason: "shutdown", compactionDelivered: false, exactSaves: true };

/** An opencode 2.x server process: sessions, locations and their plugins (§2.5). */
export function startProcess(options: ProcessOptions = {}) {
  const { clock = systemClock, version = "2.0.20", spelling = "2.x", tellShutdown = true } = options;
  const id = createIDs();
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  const publisher = createPublisher({
    clock,
    id,
    spelling,
    locations: options.locations ?? "observed",
    created: options.created ?? "flat",
  });
  const streams = createEventStreams();
  publisher.listen((event) => streams.publish(event));
  const log = createSessionLog({ clock, id, publisher, idleMarkers: spelling === "2.x" });
  const steps = createStepLog({ clock, id, log });
  const permissions = createPermissionRegistry({ id, publisher });
  const forms = createFormRegistry({ id, publisher });
  const sessions = new Map<string, Session>();
  const faults: Faults = {};
  const open = new Map<string, OpenLocation>();
  const closing = new Map<string, Promise<void>>();

  function newSession(from: NewSession): Session {
    const session = createSession({ clock, id, publisher, version }, from);
    sessions.set(session.id, session);
    return session;
  }

  /** §2.5: lazily, once a location. Who comes while it closes waits, and gets a new one. */
  async function use(location: Location): Promise<OpenLocation> {
    const key = locationKey(location);
    await closing.get(key);
    const opened = open.get(key) ?? openLocation(locationDeps, { ...location });
    open.set(key, opened);
    sweeper.touch(location);
    if (options.activation !== "late") await opened.ready();
    return opened;
  }

  const engine: EngineDeps = {
    ...{ clock, id, log, steps, permissions, forms, newSession },
    model: options.model ?? createModel(),
    options: { ...defaultEngine, ...(spelling === "alpha" ? alphaEngine : {}), ...options.engine },
    sessionOf: (sessionID) => sessions.get(sessionID),
    async servicesOf(session) {
      const opened = await use(session.location);
      await opened.ready();
      return opened;
    },
  };
  const executor = createExecutor(engine);
  const api = createSessionApi({
    id,
    log,
    executor,
    sessions,
    newSession,
    wall: () => clock.wall(),
    activate: async (where) => (await use(where)).hooks,
  });
  const loading: LoadingDeps = {
    globalConfig: options.globalConfig ?? "/nonexistent",
    packages: options.packages ?? {},
    builtins: options.builtins ?? [],
    imports: createPluginImports(options.reloadBy ?? "query"),
    warn,
  };
  const locationDeps = {
    ...{ version, streams, permissions, faults, publisher, loading, warn, sessions: api },
    database: options.database ?? createDatabase(),
    newer: options.newer ?? true,
  };

  /** §2.5: `location.shutdown`, then the cleanups; §4.4: what waits there is rejected. */
  async function close(location: Location) {
    const key = locationKey(location);
    const opened = open.get(key);
    if (opened === undefined) return;
    open.delete(key);
    publisher.emit("location.shutdown", {}, { location });
    permissions.rejectAll(location);
    const closed = opened.close().finally(() => closing.delete(key));
    closing.set(key, closed);
    await closed;
  }
  const locations = () => [...open.values()].map(({ location }) => location);
  const sweeper = startSweeper({ clock, sessions, executor, locations, close });

  return {
    ...{ clock, id, publisher, streams, log, steps, permissions, forms, sessions, executor, api, faults, warnings },
    newSession,
    use,
    locations,
    close,
    sweep: sweeper.sweep,
    /** A watched file changed, or somebody ran `opencode reload`; of one plugin or of all, in one location or in all. */
    async reload(location?: Location, target?: string) {
      const here = [...open.values()].filter(
        (opened) => location === undefined || locationKey(location) === locationKey(opened.location),
      );
      const files = here.flatMap((opened) => opened.files()).filter((file) => (target ?? file.target) === file.target);
      for (const path of new Set(files.map((file) => file.path))) loading.imports.changed(path);
      for (const opened of here) await opened.reload(target);
    },
    /** §7.3: naming a location activates it and waits for its plugins. */
    async rpc(
      location: Location,
      contract: string,
      method: string,
      input: unknown,
      signal?: AbortSignal,
    ): Promise<unknown> {
      const opened = await use(location);
      await opened.ready();
      return opened.rpc.call(contract, method, input, signal);
    },
    breakStreams: (how: Breakage, location?: Location, plugin = "beckon") =>
      streams.breakDown(how, location === undefined ? undefined : open.get(locationKey(location))?.instanceOf(plugin)),
    /** Orderly: runs are interrupted with `shutdown`, every cleanup is awaited, then the iterators end (§3.2, §4.3). */
    async stop() {
      sweeper.stop();
      const unheard = tellShutdown ? undefined : publisher.mute();
      await executor.interruptAll("shutdown");
      unheard?.();
      for (const location of locations()) await close(location);
      loading.imports.removeCopies();
    },
    /** §4.2: a killed process publishes nothing and cleans nothing up. */
    kill() {
      sweeper.stop();
      publisher.mute();
      void executor.interruptAll("shutdown");
    },
  };
}

export type ServerProcess = ReturnType<typeof startProcess>;
