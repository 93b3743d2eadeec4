import type { Clock } from "../../shared/clock.ts";
import type { CloseReason } from "../../shared/close-codes.ts";
import { encode, readFromTerminal, type TerminalHello, type ToTerminal } from "../../shared/protocol.ts";
import type { Line, Peer } from "./connection.ts";
import type { PresenceStore } from "./presence-store.ts";
import { createRaises, type Raises } from "./raises.ts";

export type TerminalPeer = Peer &
  Pick<Raises, "raise"> & {
    send(frame: ToTerminal): void;
    /** The same terminal connected anew: this connection's end is no news about it any more. */
    replace(): void;
  };

export type TerminalPeerDeps = { clock: Clock; store: PresenceStore; line: Line; hello: TerminalHello };

/** Six heartbeats missed: a tunnel that broke without a word must not keep a place for ever. A TUI that only slept comes back. */
const silentMs = 60_000;

/** One terminal: its reports go into the presence, our wishes go out to it. */
export function createTerminalPeer({ clock, store, line, hello }: TerminalPeerDeps): TerminalPeer {
  const { id, name } = hello;
  let { abilities } = hello;
  const send = (frame: ToTerminal) => line.send(encode(frame));
  const raises = createRaises(clock, send);
  let replaced = false;
  let cancelSilence = listenOn();

  function listenOn(): () => void {
    return clock.after(silentMs, () => line.end("silent"));
  }

  function receive(text: string): CloseReason | undefined {
    const read = readFromTerminal(text);
    if (!read.ok) return "malformed";
    cancelSilence();
    cancelSilence = listenOn();
    const frame = read.value;
    switch (frame.type) {
      case "report":
        abilities = frame.abilities ?? abilities;
        return store.report({ id, name, abilities, seq: frame.seq, report: frame.report }) ? undefined : "full";
      case "raised":
        raises.answered(frame.request, frame.ok);
        return undefined;
      case "bye":
        return "done";
    }
  }

  return {
    receive,
    send,
    raise: raises.raise,
    replace() {
      replaced = true;
      line.end("replaced");
    },
    gone() {
      cancelSilence();
      raises.abandon();
      if (!replaced) store.forget(id);
    },
  };
}
