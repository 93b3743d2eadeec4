import type { Socket } from "node:net";
import type { Clock } from "../../shared/clock.ts";
import type { CloseReason } from "../../shared/close-codes.ts";
import { guarded } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import {
  commonProtocol,
  encode,
  type Hello,
  type RaiseRequest,
  type TerminalHello,
  type ToTerminal,
} from "../../shared/protocol.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type Connection, type Line, type Peer, serveConnection } from "./connection.ts";
import { isSameToken } from "./credentials.ts";
import type { Refusal } from "./handshake.ts";
import { createLobby } from "./lobby.ts";
import { createObserverPeer, type Observer, type ObserverPeer } from "./observer-peer.ts";
import { heartbeatMs } from "./presence.ts";
import type { PresenceStore } from "./presence-store.ts";
import { createTerminalPeer, type TerminalPeer } from "./terminal-peer.ts";

/** Command lines at a time; none counts as a terminal. */
const maxObservers = 16;
/**
 * Connections without a right hello that have sent a byte (those that did not are in the lobby). One more, and the oldest is cut: a terminal says hello within
 * milliseconds, so whoever only holds a place, by half a request or by silence, loses it to whoever comes.
 * Each keeps at most a request or a frame, a few KiB. With far fewer places a stranger that holds hundreds of sockets would be cut and
 * back thousands of times a second, and accepting is what costs the host most.
 */
const maxStrangers = 512;

export type RoomDeps = {
  clock: Clock;
  log: Log;
  relayID: string;
  token: string;
  store: PresenceStore;
  observer(): Observer | undefined;
  onRefused(refusal: Refusal): void;
};

/** Everybody who is connected: lets in by token, protocol and room, and finds a terminal by its id. */
export function createRoom(deps: RoomDeps) {
  const { clock, log, store } = deps;
  const connections = new Set<Connection>();
  /** Oldest first. */
  const strangers = new Set<Connection>();
  const terminals = new Map<string, TerminalPeer>();
  const observers = new Set<ObserverPeer>();
  let unwelcome = false;
  let closed = false;

  const lobby = createLobby(clock, guarded("relay socket", begin));

  function accept(socket: Socket): void {
    if (closed) socket.destroy();
    else lobby.enter(socket);
  }

  function begin(socket: Socket, first: Buffer): void {
    const connection = serveConnection(socket, {
      ...{ clock, log, admit, onRefused: deps.onRefused },
      onAdmitted: () => strangers.delete(connection),
      onEnd() {
        strangers.delete(connection);
        connections.delete(connection);
      },
    });
    connections.add(connection);
    strangers.add(connection);
    if (strangers.size > maxStrangers) cutOldest();
    connection.hear(first);
  }

  function cutOldest(): void {
    for (const oldest of strangers) {
      strangers.delete(oldest); // at once: its socket may take a moment to end
      return oldest.cut();
    }
  }

  function admit(hello: Hello, line: Line): Result<Peer, CloseReason> {
    if (!isSameToken(hello.token, deps.token)) return fail("badToken");
    const protocol = commonProtocol(hello.protocols);
    if (protocol === undefined) return refuseProtocol(hello);
    const peer = hello.role === "terminal" ? admitTerminal(hello, line) : admitObserver(line);
    if (peer.ok) line.send(encode({ type: "welcome", protocol, relay: deps.relayID, heartbeatMs }));
    return peer;
  }

  function refuseProtocol(hello: Hello): Result<never, CloseReason> {
    if (!unwelcome) log(`relay: a ${hello.role} speaks protocols ${hello.protocols.join(", ")}, none of ours`);
    unwelcome = true;
    return fail("noCommonProtocol");
  }

  function admitTerminal(hello: TerminalHello, line: Line): Result<Peer, CloseReason> {
    const { id, name, seq, report, abilities } = hello;
    if (!store.report({ id, name, seq, report, abilities }, "fresh")) return fail("full");
    terminals.get(id)?.replace();
    const peer = createTerminalPeer({ clock, store, line, hello });
    terminals.set(id, peer);
    const gone = () => {
      peer.gone();
      if (terminals.get(id) === peer) terminals.delete(id);
    };
    return ok({ receive: peer.receive, gone });
  }

  function admitObserver(line: Line): Result<Peer, CloseReason> {
    if (observers.size >= maxObservers) return fail("full");
    const peer = createObserverPeer(line, deps.observer);
    observers.add(peer);
    const gone = () => {
      peer.gone();
      observers.delete(peer);
    };
    return ok({ receive: peer.receive, gone });
  }

  /** For good: says goodbye, does not wait for an answer, and lets nobody in any more. */
  function empty(): void {
    closed = true;
    lobby.empty();
    for (const connection of [...connections]) {
      connection.end("goingAway");
      setImmediate(guarded("relay", connection.cut));
    }
  }

  return {
    accept,
    empty,
    terminals: {
      has: (id: string) => terminals.has(id),
      raise: (id: string, alert: RaiseRequest): Promise<boolean> =>
        terminals.get(id)?.raise(alert) ?? Promise.resolve(false),
      send: (id: string, frame: ToTerminal) => terminals.get(id)?.send(frame),
      publishDecision(decision: unknown) {
        for (const observer of observers) observer.decision(decision);
      },
    },
  };
}
