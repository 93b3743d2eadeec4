import type { Clock } from "../../shared/clock.ts";
import { guarded, unattended } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import { protocols, type RaiseRequest, type ToTerminal } from "../../shared/protocol.ts";
import type { Descriptor } from "../../shared/rendezvous.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { announce } from "./announce.ts";
import { makeRelayID, makeToken } from "./credentials.ts";
import { type FrontDoor, type FrontDoorFailure, openFrontDoor } from "./front-door.ts";
import type { Observer } from "./observer-peer.ts";
import type { PresenceStore } from "./presence-store.ts";
import { prune } from "./prune.ts";
import { createRoom } from "./room.ts";

export type RelayFailure = FrontDoorFailure | { kind: "not-announced" | "broken"; detail: string };

export type RelayDeps = {
  clock: Clock;
  log: Log;
  /** Every folder of `relayDirectories`. */
  folders: readonly string[];
  /** A port on loopback, also where a unix socket could be had. */
  onlyTCP?: boolean;
  line: Descriptor["line"];
  directories(): readonly string[];
  maxTerminals(): number;
  /** Where reports go; plugin calls (2.x) write into the same one. */
  store: PresenceStore;
  observer(): Observer | undefined;
};

export type Relay = {
  readonly id: string;
  /** Another one after its socket's file was taken away. */
  url(): string;
  /** Asks one terminal to raise an alert. False: unknown, unable, or no answer within 2 s. */
  raise(terminalID: string, alert: RaiseRequest): Promise<boolean>;
  has(terminalID: string): boolean;
  /** Says something to one terminal; an unknown one hears nothing. */
  send(terminalID: string, frame: ToTerminal): void;
  publishDecision(decision: unknown): void;
  /** Looks after the descriptor files, e.g. when `directories` changed. */
  announceAgain(): Promise<void>;
  close(): Promise<void>;
};

/** How often the socket is looked for: a logout takes /run/user/UID away while a server in tmux lives on. */
const lookMs = 30_000;

/** Opens the relay and announces it. A failure means plain delivery: nobody's look is ever known. */
export async function startRelay(deps: RelayDeps): Promise<Result<Relay, RelayFailure>> {
  const { clock, log, folders } = deps;
  const relayID = makeRelayID();
  const token = makeToken();
  const room = createRoom({ ...deps, relayID, token, onRefused: once(log, "relay: refused a request: ") });
  const openDoor = () =>
    openFrontDoor({ folders, onlyTCP: deps.onlyTCP ?? false, accept: guarded("relay socket", room.accept) });
  const opened = await openDoor();
  if (!opened.ok) return opened;
  let door = opened.value;
  tellWhyTCP(door, deps);

  const startedAt = startTime(clock);
  await prune(folders, clock.wall());
  const announcement = await announce({
    clock,
    log,
    folders,
    relayID,
    describe: () => ({
      url: door.url,
      token,
      pid: process.pid,
      startedAt: startedAt(),
      line: deps.line,
      directories: [...deps.directories()],
      protocol: Math.max(...protocols),
    }),
  });

  /** Terminals that are in stay in; those that come find the new address. */
  async function listenAnew(): Promise<void> {
    const next = await openDoor();
    if (!next.ok) return log(`relay: its socket is gone, and it can listen nowhere else: ${next.error.detail}`);
    const before = door;
    door = next.value;
    before.close();
    if (watch.isOver()) return door.close();
    log("relay: its socket was taken away; it listens at another one");
    await announcement.refresh();
  }

  const watch = everyNow(clock, lookMs, async () => {
    if (!(await door.isThere())) await listenAnew();
  });

  async function close(): Promise<void> {
    watch.end();
    room.empty();
    await announcement.withdraw();
    door.close();
  }

  if (announcement.places().length === 0) {
    await close();
    return fail({ kind: "not-announced", detail: announcement.problems().join("; ") || "no folder is known" });
  }
  return ok({ id: relayID, url: () => door.url, ...room.terminals, announceAgain: announcement.refresh, close });
}

/** Asked for, or of the platform: nothing to tell. Else somebody should know that strangers can knock. */
function tellWhyTCP({ whyTCP }: FrontDoor, { log, onlyTCP }: RelayDeps): void {
  if (whyTCP === undefined || onlyTCP || process.getuid === undefined) return;
  log(`relay: listens on a port of 127.0.0.1, for no unix socket could be made: ${whyTCP}`);
}

/** Does it each time that long after it was done; a failure is no reason to stop. */
function everyNow(clock: Clock, ms: number, work: () => Promise<void>): { isOver(): boolean; end(): void } {
  let over = false;
  let cancel = () => {};
  const again = () => {
    if (over) return;
    cancel = clock.after(ms, () => unattended("relay", work().then(again, again)));
  };
  again();
  return {
    isOver: () => over,
    end() {
      over = true;
      cancel();
    },
  };
}

/** Each reason is told once: a flood must not fill the log. */
function once(log: Log, label: string): (refusal: { why: string }) => void {
  const told = new Set<string>();
  return ({ why }) => {
    if (!told.has(why)) log(label + why);
    told.add(why);
  };
}

/** Corrections of the wall clock below this are not followed. */
const driftMs = 2_000;

/**
 * Our start in epoch ms, counted back from now: when the clock is set, the system's own idea of when processes
 * began moves with it, and an old value would make us look like a later process with the same pid.
 */
function startTime(clock: Clock): () => number {
  const begun = clock.now();
  let startedAt = Math.round(clock.wall());
  return () => {
    const counted = Math.round(clock.wall() - (clock.now() - begun));
    if (Math.abs(counted - startedAt) > driftMs) startedAt = counted;
    return startedAt;
  };
}
