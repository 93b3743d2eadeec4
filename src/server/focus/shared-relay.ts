import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Descriptor } from "../../shared/rendezvous.ts";
import type { Result } from "../../shared/result.ts";
import type { Observer } from "./observer-peer.ts";
import type { Presence } from "./presence.ts";
import { createPresenceStore, type PresenceStore } from "./presence-store.ts";
import type { Relay, RelayFailure } from "./relay.ts";

/** How long a relay nobody uses stays open: a hot reload closes the old part before it starts the new one. */
export const lingerMs = 5_000;

/**
 * Goes up whenever the shape of `Shared` or `Relay` changes: code of another version then keeps a relay of its own
 * until the old one has lingered away. Terminals connect to both.
 */
const version = 1;
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
  /** Reports of every terminal, also those that came by plugin call; works without a relay. */
  store: PresenceStore;
  /** Ends this instance's share; idempotent. The last one out closes the relay after `lingerMs`. */
  release(): void;
  /** Ends the share and, as the last one, the relay at once: for a process that ends. */
  close(): Promise<void>;
};

export type SharedRelayDeps = {
  clock: Clock;
  folders: readonly string[];
  line: Descriptor["line"];
  /** `startRelay`, reached by `import()` so that nothing of it loads before a relay is wanted. */
  start: typeof import("./relay.ts").startRelay;
  /** Where the process keeps it; `globalThis` but in tests. */
  home?: object;
};

type Shared = {
  tenants: Tenant[];
  store: PresenceStore;
  relay: Promise<Result<Relay, RelayFailure>>;
  cancelLinger(): void;
};

/** One relay per process, whoever asks and however often this module was loaded. */
export function leaseRelay(deps: SharedRelayDeps, tenant: Tenant): Lease {
  const home: object = deps.home ?? globalThis;
  const shared = find(home) ?? open(home, deps, tenant);
  shared.cancelLinger();
  shared.cancelLinger = () => {};
  if (!shared.tenants.includes(tenant)) shared.tenants.push(tenant);
  void shared.relay.then((relay) => (relay.ok ? relay.value.announceAgain() : undefined));
  let released = false;

  function leave(): boolean {
    if (released) return false;
    released = true;
    shared.tenants.splice(shared.tenants.indexOf(tenant), 1);
    return shared.tenants.length === 0;
  }

  async function end(): Promise<void> {
    if (find(home) === shared) Reflect.deleteProperty(home, place);
    const relay = await shared.relay;
    if (relay.ok) await relay.value.close();
  }

  return {
    relay: shared.relay,
    store: shared.store,
    release() {
      if (leave()) shared.cancelLinger = deps.clock.after(lingerMs, () => void end());
    },
    async close() {
      if (leave()) await end();
    },
  };
}

function open(home: object, deps: SharedRelayDeps, first: Tenant): Shared {
  const { clock, folders, line, start } = deps;
  const tenants: Tenant[] = [first];
  const newest = () => tenants.at(-1);
  const maxTerminals = () => newest()?.maxTerminals() ?? 0;
  const store = createPresenceStore({
    clock,
    maxTerminals,
    onPresence: (presence) => {
      for (const tenant of [...tenants]) tenant.onPresence(presence);
    },
  });
  const relay = start({
    clock,
    log: (text) => newest()?.log(text),
    folders,
    line,
    directories: () => [...new Set(tenants.flatMap((tenant) => tenant.directories()))],
    maxTerminals,
    store,
    observer: () => tenants.map((tenant) => tenant.observer()).findLast((observer) => observer !== undefined),
  });
  const shared: Shared = { tenants, store, relay, cancelLinger: () => {} };
  Object.defineProperty(home, place, { value: shared, configurable: true, enumerable: false });
  return shared;
}

/** Only our own code writes under this symbol, and the version is part of it: what is found has this shape. */
function find(home: object): Shared | undefined {
  const found: unknown = Reflect.get(home, place);
  return isShared(found) ? found : undefined;
}

const isShared = (found: unknown): found is Shared =>
  typeof found === "object" && found !== null && "tenants" in found && "store" in found && "relay" in found;
