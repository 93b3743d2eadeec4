import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import { protocols, type RaiseRequest, relayPath, type ToTerminal } from "../../shared/protocol.ts";
import type { Descriptor } from "../../shared/rendezvous.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { announce } from "./announce.ts";
import { makeRelayID, makeToken } from "./credentials.ts";
import { type FrontDoorFailure, openFrontDoor } from "./front-door.ts";
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
  line: Descriptor["line"];
  directories(): readonly string[];
  maxTerminals(): number;
  /** Where reports go; plugin calls (2.x) write into the same one. */
  store: PresenceStore;
  observer(): Observer | undefined;
};

export type Relay = {
  readonly id: string;
  readonly url: string;
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

/** Opens the relay and announces it. A failure means plain delivery: nobody's look is ever known. */
export async function startRelay(deps: RelayDeps): Promise<Result<Relay, RelayFailure>> {
  const { clock, log, folders } = deps;
  const relayID = makeRelayID();
  const token = makeToken();
  const room = createRoom({ ...deps, relayID, token });
  const door = await openFrontDoor({
    maxSockets: room.maxSockets,
    hasRoom: () => room.size() < room.maxSockets(),
    accept: room.accept,
    onRefused: once(log, "relay: refused a request: "),
  });
  if (!door.ok) return door;
  const { port, close: shut } = door.value;

  const url = `ws://127.0.0.1:${port}${relayPath}`;
  const startedAt = startTime(clock);
  await prune(folders, clock.wall());
  const announcement = await announce({
    clock,
    log,
    folders,
    relayID,
    describe: () => ({
      url,
      token,
      pid: process.pid,
      startedAt: startedAt(),
      line: deps.line,
      directories: [...deps.directories()],
      protocol: Math.max(...protocols),
    }),
  });

  async function close(): Promise<void> {
    room.empty();
    await announcement.withdraw();
    shut();
  }

  if (announcement.places().length === 0) {
    await close();
    return fail({ kind: "not-announced", detail: announcement.problems().join("; ") || "no folder is known" });
  }
  return ok({ id: relayID, url, ...room.terminals, announceAgain: announcement.refresh, close });
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
