import type { Socket } from "node:net";
import type { Clock } from "../../shared/clock.ts";
import { type CloseReason, closeCodes, closeWords } from "../../shared/close-codes.ts";
import type { Log } from "../../shared/log.ts";
import { type Hello, readHello } from "../../shared/protocol.ts";
import { fail, type Result } from "../../shared/result.ts";
import { createFrameRate } from "./frame-rate.ts";
import type { Refusal } from "./handshake.ts";
import { serveWebsocket, type Websocket } from "./websocket.ts";

/** How long a stranger may take for its request, and then for a hello. */
const strangerMs = 2_000;
/** How long the other side has to hang up after our goodbye before the socket is cut. */
const goodbyeMs = 1_000;

/** Whoever was let in: reads its own frames until it says a reason to end. */
export type Peer = {
  receive(text: string): CloseReason | undefined;
  gone(): void;
};

export type Line = {
  send(text: string): void;
  end(reason: CloseReason): void;
};

export type Connection = Line & Pick<Websocket, "cut" | "hear">;

export type ConnectionDeps = {
  clock: Clock;
  log: Log;
  /** Checks token, protocol and room, and says who this is from now on. */
  admit(hello: Hello, line: Line): Result<Peer, CloseReason>;
  /** It is no stranger any more. */
  onAdmitted(): void;
  onRefused(refusal: Refusal): void;
  /** Called once, however the connection ended. */
  onEnd(): void;
};

/** One socket from its first byte, which `hear` is to be given, to its end. A stranger costs a deadline and nothing else. */
export function serveConnection(socket: Socket, deps: ConnectionDeps): Connection {
  const { clock, log } = deps;
  const withinRate = createFrameRate(clock);
  let peer: Peer | undefined;
  let ended = false;
  let cancelCut = () => {};
  let cancelDeadline = deadline(() => cut());

  /** Where the host itself was busy for so long, the bytes wait in the socket: they are read before the next timer. */
  function deadline(late: () => void): () => void {
    return clock.after(strangerMs, () => {
      cancelDeadline = clock.after(0, late);
    });
  }

  /** From here on nothing more of this peer is read or sent, whether or not it hangs up. */
  function stop(): void {
    if (ended) return;
    ended = true;
    cancelDeadline();
    peer?.gone();
  }

  function leave(): void {
    if (ended) return;
    stop();
    cancelCut = clock.after(goodbyeMs, () => websocket.cut());
  }

  function end(reason: CloseReason): void {
    if (ended) return;
    leave();
    websocket.leave(closeCodes[reason], closeWords[reason]);
  }

  function cut(): void {
    stop();
    websocket.cut();
  }

  function hear(text: string): CloseReason | undefined {
    if (peer !== undefined) return peer.receive(text);
    const hello = readHello(text);
    const admitted = hello.ok ? deps.admit(hello.value, { send: websocket.send, end }) : fail("malformed" as const);
    if (!admitted.ok) return admitted.error;
    cancelDeadline();
    peer = admitted.value;
    deps.onAdmitted();
    return undefined;
  }

  const websocket = serveWebsocket(socket, {
    upgraded() {
      cancelDeadline();
      cancelDeadline = deadline(() => end("helloTooLate"));
    },
    mayCome() {
      if (!withinRate()) end("tooFast");
      return !ended;
    },
    text(text) {
      try {
        const reason = hear(text);
        if (reason !== undefined) end(reason);
      } catch (error) {
        log(`relay: a frame met a bug of ours: ${error instanceof Error ? error.stack : error}`); // never the host's end
        end("goingAway");
      }
    },
    refused(refusal) {
      leave();
      deps.onRefused(refusal);
    },
    broken: end,
    left: leave,
    gone() {
      stop();
      cancelCut();
      deps.onEnd();
    },
  });
  return { send: websocket.send, end, cut, hear: websocket.hear };
}
