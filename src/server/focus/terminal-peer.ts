import type { Clock } from "../../shared/clock.ts";
import type { CloseReason } from "../../shared/close-codes.ts";
import { encode, type RaiseRequest, readFromTerminal, type TerminalHello } from "../../shared/protocol.ts";
import type { Line, Peer } from "./connection.ts";
import type { PresenceStore } from "./presence-store.ts";

/** How long a terminal may take to say that it wrote an alert. */
const raiseWithinMs = 2_000;

export type TerminalPeer = Peer & {
  /** True when the terminal says it wrote the bytes; false when it cannot, ended, or kept silent for 2 s. */
  raise(alert: RaiseRequest): Promise<boolean>;
  takeBack(key: string): void;
  navigate(sessionID: string): void;
  toast(message: string, title?: string): void;
  /** The same terminal connected anew: this connection's end is no news about it any more. */
  replace(): void;
};

export type TerminalPeerDeps = { clock: Clock; store: PresenceStore; line: Line; hello: TerminalHello };

/** One terminal: its reports go into the presence, our wishes go out to it. */
export function createTerminalPeer({ clock, store, line, hello }: TerminalPeerDeps): TerminalPeer {
  const { id, name, abilities } = hello;
  const waiting = new Map<number, (written: boolean) => void>();
  let requests = 0;
  let replaced = false;

  function receive(text: string): CloseReason | undefined {
    const read = readFromTerminal(text);
    if (!read.ok) return "malformed";
    const frame = read.value;
    switch (frame.type) {
      case "report":
        return store.report({ id, name, abilities, seq: frame.seq, report: frame.report }) ? undefined : "full";
      case "raised":
        waiting.get(frame.request)?.(frame.ok);
        return undefined;
      case "bye":
        return "done";
    }
  }

  function raise(alert: RaiseRequest): Promise<boolean> {
    requests += 1;
    const request = requests;
    return new Promise((answer) => {
      const settle = (written: boolean) => {
        cancel();
        waiting.delete(request);
        answer(written);
      };
      const cancel = clock.after(raiseWithinMs, () => settle(false));
      waiting.set(request, settle);
      line.send(encode({ type: "raise", request, alert }));
    });
  }

  return {
    receive,
    raise,
    takeBack: (key) => line.send(encode({ type: "takeBack", key })),
    navigate: (sessionID) => line.send(encode({ type: "navigate", sessionID })),
    toast: (message, title) =>
      line.send(encode(title === undefined ? { type: "toast", message } : { type: "toast", message, title })),
    replace() {
      replaced = true;
      line.end("replaced");
    },
    gone() {
      for (const settle of [...waiting.values()]) settle(false);
      if (!replaced) store.forget(id);
    },
  };
}
