import type { Result } from "../../shared/result.ts";

/** All we need of a message bus, so that the library behind it can be exchanged. */
export type SessionBus = {
  /** Never rejects. A call nobody answers stays open until the bus closes: deadlines are the caller's. */
  call(call: BusCall): Promise<Result<readonly unknown[], BusFailure>>;
  /** Signals of one object. `sender` is the unique name of who sent it. Resolves when the bus forwards them. */
  listen(rule: SignalRule, on: (signal: BusSignal) => void): Promise<Result<readonly unknown[], BusFailure>>;
  /** Runs once, when the connection is gone for whatever reason. */
  onClose(run: () => void): void;
  close(): void;
};

export type BusCall = {
  destination: string;
  path: string;
  interface: string;
  member: string;
  signature?: string;
  body?: readonly unknown[];
  /** Asks only who is there: nothing is started to answer. */
  startNobody?: true;
};

/** `argument` narrows to signals whose first argument is that text: the bus forwards nothing else. */
export type SignalRule = { sender: string; path: string; interface: string; argument?: string };
export type BusSignal = { sender: string; member: string; body: readonly unknown[] };

export type BusFailure = {
  kind:
    | "unavailable" // no socket, no library, nobody owns the name
    | "refused" // an error reply, or the bus does not let us in
    | "lost"; // the connection ended before the answer
  /** The D-Bus name of the error, where there is one. */
  name?: string;
  /** There is a bus, and dbus-native, which we speak to it with, is not there. */
  noLibrary?: true;
  detail: string;
};

/** Connects and says hello. Aborting gives up and closes what was begun. Never rejects. */
export type OpenBus = (paths: readonly string[], signal: AbortSignal) => Promise<Result<SessionBus, BusFailure>>;
