import type { WebSocket } from "ws";
import type { Clock } from "../../shared/clock.ts";
import { type CloseReason, closeCodes, closeWords } from "../../shared/close-codes.ts";
import type { Log } from "../../shared/log.ts";
import { type Hello, maxFrameBytes, readHello } from "../../shared/protocol.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { createFrameRate } from "./frame-rate.ts";

/** How long a stranger may stay without a hello. */
const helloWithinMs = 2_000;
/** How long the other side has to answer our goodbye before the socket is cut; `ws` itself would wait 30 s. */
const goodbyeMs = 1_000;
/** A peer that does not read is cut before it costs memory. */
const maxUnreadBytes = 4 * 1_048_576;

/** Whoever was let in: reads its own frames until it says a reason to end. */
export type Peer = {
  receive(text: string): CloseReason | undefined;
  gone(): void;
};

export type Line = {
  send(text: string): void;
  end(reason: CloseReason): void;
};

export type ConnectionDeps = {
  clock: Clock;
  log: Log;
  /** Checks token, protocol and room, and says who this is from now on. */
  admit(hello: Hello, line: Line): Result<Peer, CloseReason>;
  /** Called once, however the connection ended. */
  onEnd(): void;
};

/** One accepted socket from its first frame to its end. A stranger costs a deadline and nothing else. */
export function serveConnection(
  socket: WebSocket,
  { clock, log, admit, onEnd }: ConnectionDeps,
): Line & { cut(): void } {
  const withinRate = createFrameRate(clock);
  let peer: Peer | undefined;
  let ended = false;
  let cancelCut = () => {};
  let cancelDeadline = clock.after(helloWithinMs, () => {
    // Where the host itself was busy for so long, the hello waits in the socket: it is read before the next timer.
    cancelDeadline = clock.after(0, () => end("helloTooLate"));
  });

  /** From here on nothing more of this peer is read or sent, whether or not it hangs up. */
  function leave(): void {
    if (ended) return;
    ended = true;
    cancelDeadline();
    peer?.gone();
    cancelCut = clock.after(goodbyeMs, () => socket.terminate());
  }

  function end(reason: CloseReason): void {
    if (ended) return;
    leave();
    socket.close(closeCodes[reason], closeWords[reason]);
  }

  function send(text: string): void {
    if (ended || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > maxUnreadBytes) return cut();
    socket.send(text, () => {}); // a socket that just broke says so by `close`
  }

  function cut(): void {
    leave();
    socket.terminate();
  }

  function hear(text: string): CloseReason | undefined {
    if (peer !== undefined) return peer.receive(text);
    const admitted = greet(text);
    if (!admitted.ok) return admitted.error;
    cancelDeadline();
    peer = admitted.value;
    return undefined;
  }

  function greet(text: string): Result<Peer, CloseReason> {
    const hello = readHello(text);
    return hello.ok ? admit(hello.value, { send, end }) : fail("malformed");
  }

  socket.on("message", (data: unknown, isBinary: boolean) => {
    if (ended) return;
    const text = withinRate() ? readText(data, isBinary) : fail("tooFast" as const);
    try {
      const reason = text.ok ? hear(text.value) : text.error;
      if (reason !== undefined) end(reason);
    } catch (error) {
      log(`relay: a frame met a bug of ours: ${error instanceof Error ? error.stack : error}`); // never the host's end
      end("goingAway");
    }
  });
  socket.on("error", leave); // it broke the rules of the websocket: `ws` says goodbye to it
  socket.on("close", () => {
    leave();
    cancelCut();
    onEnd();
  });
  return { send, end, cut };
}

/** Sizes are checked here because Bun 1.3.14's stand-in for `ws` does not know `maxPayload`. */
function readText(data: unknown, isBinary: boolean): Result<string, CloseReason> {
  if (isBinary) return fail("binary");
  if (typeof data === "string") return data.length > maxFrameBytes ? fail("tooBig") : ok(data);
  if (!Buffer.isBuffer(data)) return fail("binary");
  return data.length > maxFrameBytes ? fail("tooBig") : ok(data.toString("utf8"));
}
