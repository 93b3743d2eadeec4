import type { Clock } from "../../shared/clock.ts";
import { answering, guarded, unattended } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import type { RaiseRequest, ToTerminal } from "../../shared/protocol.ts";
import type { Descriptor } from "../../shared/rendezvous.ts";
import { fail, type Result } from "../../shared/result.ts";
import type { Observer } from "./observer-peer.ts";
import type { Presence } from "./presence.ts";
import { createPresenceStore, type PresenceStore } from "./presence-store.ts";
import type { Relay, RelayDeps, RelayFailure } from "./relay.ts";
import { createRpcReports, type RpcReports } from "./rpc-reports.ts";

/** How long a relay nobody uses stays open: a hot reload closes the old part before it starts the new one. */
export const lingerMs = 5_000;

/**
 * Goes up whenever the shape of `Shared` or `Relay` changes: code of another version then keeps a relay of its own
 * until the old one has lingered away. Terminals connect to both.
 */
const version = 2;
const place = Symbol.for(`opencode-beckon.relay.${version}`);

/** What one plugin instance brings along. Everything is asked when needed, so that the newest instance answers. */
export type Tenant = {
  log: Log;
  directories(): readonly string[];
  maxTerminals(): number;
  onPresence(presence: Presence): void;
  /** Undefined in an instance that only stands by (2.x). */
  observer(): Observer | undefined;
};

export type Lease = {
  /** Resolves when the relay listens, or says why it does not. */
  relay: Promise<Result<Relay, RelayFailure>>;
  /** Reports of every terminal, by socket or by plugin call; works without a relay. */
  presence(): Presence;
  /** Wishes to one terminal, by the way it reports. */
  terminals: Terminals;
  /** Tells the command lines that watch. */
  publishDecision(decision: unknown): void;
  /** For 2.x: what the adapter registers with the host. */
  calls: RpcReports;
  /** Ends this instance's share; idempotent. The last one out closes the relay after `lingerMs`. */
  release(): void;
  /** Ends the share and, as the last one, the relay at once: for a process that ends. */
  close(): Promise<void>;
};

export type Terminals = {
  /** True when the terminal says it wrote the alert; false: unknown, unable, or no answer within 2 s. */
  raise(terminalID: string, alert: RaiseRequest): Promise<boolean>;
  /** True when that terminal is attached and knows a way to take an alert back. */
  canTakeBack(terminalID: string): boolean;
  takeBack(terminalID: string, key: string): void;
  navigate(terminalID: string, sessionID: string): void;
  toast(terminalID: string, message: string, title?: string): void;
};

export type SharedRelayDeps = {
  clock: Clock;
  folders: readonly string[];
  line: Descriptor["line"];
  /** False in a process nobody attaches to (`opencode run`): no socket, only plugin calls. */
  listen?: boolean;
  /** See `RelayDeps`. */
  onlyTCP?: boolean;
  /** Where the process keeps it; `globalThis` but in tests. */
  home?: object;
};

type Shared = {
  tenants: Tenant[];
  store: PresenceStore;
  calls: RpcReports;
  relay: Promise<Result<Relay, RelayFailure>>;
  /** Undefined until it listens, and when it cannot. */
  open(): Relay | undefined;
  cancelLinger(): void;
};

/** One relay per process, whoever asks and however often this module was loaded. */
export function leaseRelay(deps: SharedRelayDeps, tenant: Tenant): Lease {
  const home: object = deps.home ?? globalThis;
  const known = relaysOf(home);
  const key = deps.folders.join("\n");
  const shared = known.get(key) ?? open(deps, tenant);
  known.set(key, shared);
  shared.cancelLinger();
  shared.cancelLinger = () => {};
  if (!shared.tenants.includes(tenant)) shared.tenants.push(tenant);
  unattended("relay", announceAgain(shared));
  let released = false;

  function leave(): boolean {
    if (released) return false;
    released = true;
    shared.tenants.splice(shared.tenants.indexOf(tenant), 1);
    return shared.tenants.length === 0;
  }

  async function end(): Promise<void> {
    if (known.get(key) === shared) known.delete(key);
    const relay = await shared.relay;
    if (relay.ok) await relay.value.close();
  }

  return {
    relay: shared.relay,
    presence: shared.store.presence,
    terminals: terminalsOf(shared),
    publishDecision: (decision) => shared.open()?.publishDecision(decision),
    calls: shared.calls,
    release() {
      if (leave()) shared.cancelLinger = deps.clock.after(lingerMs, () => unattended("relay", end()));
    },
    async close() {
      if (leave()) await end();
    },
  };
}

/** Nothing of it loads before a relay is wanted. Never rejects: a relay that cannot start means plain delivery. */
async function start(deps: RelayDeps): Promise<Result<Relay, RelayFailure>> {
  try {
    const { startRelay } = await import("./relay.ts");
    return await startRelay(deps);
  } catch (error) {
    return fail({ kind: "broken", detail: error instanceof Error ? error.message : String(error) });
  }
}

const notWanted = async (): Promise<Result<Relay, RelayFailure>> =>
  fail({ kind: "not-announced", detail: "nobody attaches to a one-shot process" });

/** A terminal with a socket is reached by it, also when it reported by plugin call before. */
function terminalsOf({ calls, store, open: relayOf }: Pick<Shared, "calls" | "store" | "open">): Terminals {
  const way = (id: string) => (relayOf()?.has(id) ? relayOf() : undefined) ?? calls;
  const send = (id: string, frame: ToTerminal) => way(id).send(id, frame);
  return {
    raise: (id, alert) => way(id).raise(id, alert),
    canTakeBack: (id) => store.presence().get(id)?.abilities?.notify.includes("osc99") ?? false,
    takeBack: (id, key) => send(id, { type: "takeBack", key }),
    navigate: (id, sessionID) => send(id, { type: "navigate", sessionID }),
    toast: (id, message, title) => send(id, { type: "toast", message, title }),
  };
}

async function announceAgain({ relay }: Shared): Promise<void> {
  const started = await relay;
  if (started.ok) await started.value.announceAgain();
}

function open(deps: SharedRelayDeps, first: Tenant): Shared {
  const { clock, folders, onlyTCP = false, line } = deps;
  const tenants: Tenant[] = [first];
  const newest = () => tenants.at(-1);
  let limit = first.maxTerminals();
  const maxTerminals = () => {
    limit = answering("relay", limit, () => newest()?.maxTerminals() ?? limit)(); // while it lingers, as it was
    return limit;
  };
  const store = createPresenceStore({
    clock,
    maxTerminals,
    onPresence: (presence) => {
      for (const tenant of [...tenants]) guarded("presence", tenant.onPresence)(presence);
    },
  });
  // Tenants may be of another copy of this code, older or newer.
  const observerOf = answering("relay", undefined, (tenant: Tenant): Observer | undefined => tenant.observer());
  const observer = () => tenants.map(observerOf).findLast((found) => found !== undefined);
  const directoriesOf = answering("relay", [], (tenant: Tenant): readonly string[] => tenant.directories());
  const relay = (deps.listen === false ? notWanted : start)({
    clock,
    log: (text) => newest()?.log(text),
    folders,
    onlyTCP,
    line,
    directories: () => [...new Set(tenants.flatMap((tenant) => directoriesOf(tenant)))],
    maxTerminals,
    store,
    observer,
  });
  const calls = createRpcReports({ clock, store, observer, relay: () => listening });
  let listening: Relay | undefined;
  const listen = async () => {
    const started = await relay;
    listening = started.ok ? started.value : undefined;
  };
  unattended("relay", listen());
  const shared: Shared = { tenants, store, calls, relay, open: () => listening, cancelLinger: () => {} };
  return shared;
}

/**
 * The relays of this process, by the folders they are announced in: a process has one environment and so one relay.
 * Only our own code writes under this symbol, and the version is part of it: what is found has this shape.
 */
function relaysOf(home: object): Map<string, Shared> {
  const found: unknown = Reflect.get(home, place);
  if (isOurs(found)) return found;
  const relays = new Map<string, Shared>();
  Object.defineProperty(home, place, { value: relays, configurable: true, enumerable: false });
  return relays;
}

const isOurs = (found: unknown): found is Map<string, Shared> => found instanceof Map;
