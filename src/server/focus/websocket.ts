import type { Socket } from "node:net";
import { guarded } from "../../shared/guard.ts";
import { maxFrameBytes } from "../../shared/protocol.ts";
import { createFrameReader, type Frame, type FrameFault, opcodes, writeClose, writeFrame } from "./frames.ts";
import { accepting, type Refusal, readRequest, refuse, refusing } from "./handshake.ts";

/** A peer that does not read is cut before it costs memory. */
const maxUnreadBytes = 4 * 1_048_576;
/**
 * What is still read after our goodbye, so that a peer may hang up: what was on its way, and its own goodbye. Beyond that nothing is,
 * and a flood waits in the kernel until it is cut. Cut at once it would be back at once, with the next half megabyte.
 */
const maxLateBytes = 65_536;
/** Peers that vanish without a word, behind a tunnel say, are asked after this long, ms. */
const keepAliveMs = 30_000;

export type BrokenRule = FrameFault | "binary" | "notUtf8";

export type WebsocketEvents = {
  upgraded(): void;
  /** Asked for every frame that came, pings and empty pieces too; false: nothing more is read. */
  mayCome(): boolean;
  text(text: string): void;
  refused(refusal: Refusal): void;
  broken(rule: BrokenRule): void;
  /** The peer said goodbye. */
  left(): void;
  /** Once, however it ended. */
  gone(): void;
};

export type Websocket = {
  send(text: string): void;
  /** Says goodbye and reads no more. Whether the peer hangs up then is its own affair: see `cut`. */
  leave(code: number, words: string): void;
  /** Ends it at once. */
  cut(): void;
  /** What came before anybody listened. */
  hear(bytes: Buffer): void;
};

/**
 * The server's side of one websocket, from the first byte of its request. Written here, and not taken from a library, because
 * each limit has to hold before a frame is complete, and every frame has to be counted: in Bun 1.3.14 the bare `ws` is Bun's own
 * and gathers frames of 16 MB, and `Bun.serve` tells nobody of the empty pieces that keep it busy for seconds.
 */
export function serveWebsocket(socket: Socket, events: WebsocketEvents): Websocket {
  const frames = createFrameReader(maxFrameBytes);
  const messages = createMessageReader();
  let phase: "request" | "frames" | "late" = "request";
  let asked: Buffer = Buffer.alloc(0);
  let lateBytes = 0;

  function write(bytes: Buffer | string): void {
    if (phase === "late" || socket.destroyed) return;
    socket.write(bytes);
    if (socket.writableLength > maxUnreadBytes) cut();
  }

  /** The last thing we say, and the end of our side. */
  function end(bytes: Buffer | string): void {
    if (phase === "late") return;
    phase = "late";
    socket.end(bytes);
  }

  /** The last thing we say. Our side ends when the other has said goodbye, too: Bun 1.3.14 may reset it otherwise, and it is lost. */
  function leave(code: number, words: string): void {
    if (phase === "late") return;
    write(writeClose(code, words));
    phase = "late";
  }

  const cut = () => void socket.destroy();

  function hearRequest(bytes: Buffer): void {
    asked = asked.length === 0 ? bytes : Buffer.concat([asked, bytes]);
    const read = readRequest(asked);
    if (read === undefined) return;
    const refusal = read.ok ? refuse(read.value.request) : read.error;
    if (!read.ok || refusal !== undefined) return turnAway(refusal);
    const early = asked.subarray(read.value.length);
    asked = Buffer.alloc(0);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    write(accepting(read.value.request));
    phase = "frames";
    events.upgraded();
    hearFrames(early);
  }

  function turnAway(refusal: Refusal | undefined): void {
    if (refusal === undefined) return;
    end(refusing(refusal));
    events.refused(refusal);
  }

  function hearFrames(bytes: Buffer): void {
    frames.push(bytes);
    obeyFrames();
    if (phase === "late" && mayBeGoodbye(bytes)) awaitGoodbye(); // of a flood not even the rest of these bytes is read
  }

  function obeyFrames(): void {
    while (phase === "frames" && !socket.destroyed) {
      const frame = frames.next();
      if (frame === undefined) return;
      if (!frame.ok) return events.broken(frame.error);
      if (events.mayCome()) obey(frame.value);
    }
  }

  function obey({ opcode, last, payload }: Frame): void {
    if (opcode === opcodes.pong) return;
    if (opcode === opcodes.ping) return write(writeFrame(opcodes.pong, payload));
    if (opcode === opcodes.close) return answerGoodbye(payload);
    const message = messages({ opcode, last, payload });
    if (typeof message === "string") events.broken(message);
    else if (message !== undefined) events.text(message.text);
  }

  function answerGoodbye(payload: Buffer): void {
    if (payload.length === 1) return events.broken("notAWebsocket");
    end(writeFrame(opcodes.close, payload.subarray(0, 2)));
    events.left();
  }

  function hearLate(bytes: Buffer): void {
    if (!mayBeGoodbye(bytes)) return;
    frames.push(bytes);
    awaitGoodbye();
  }

  /** Of what comes after our own goodbye only theirs counts. */
  function awaitGoodbye(): void {
    for (let frame = frames.next(); frame?.ok; frame = frames.next())
      if (frame.value.opcode === opcodes.close) return void socket.end();
  }

  function mayBeGoodbye({ length }: Buffer): boolean {
    lateBytes += length;
    const isFlood = lateBytes > maxLateBytes;
    if (isFlood) socket.pause();
    return !isFlood;
  }

  const phases = { request: hearRequest, frames: hearFrames, late: hearLate };
  const hear = guarded("relay socket", (bytes: Buffer) => phases[phase](bytes));
  const gone = guarded("relay socket", () => {
    phase = "late";
    events.gone();
  });
  socket.on("data", hear);
  socket.on("error", () => {}); // `close` follows
  socket.on("close", gone);
  return {
    send: (text) => write(writeFrame(opcodes.text, Buffer.from(text))),
    leave,
    cut,
    hear,
  };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** One text out of its pieces, together no longer than one frame; undefined while it is not whole. */
function createMessageReader(): (frame: Frame) => { text: string } | BrokenRule | undefined {
  let pieces: Buffer | undefined;
  return ({ opcode, last, payload }) => {
    if (opcode === opcodes.binary) return "binary";
    if ((opcode === opcodes.piece) !== (pieces !== undefined)) return "notAWebsocket";
    const whole = pieces === undefined ? payload : Buffer.concat([pieces, payload]);
    if (whole.length > maxFrameBytes) return "tooBig";
    pieces = last ? undefined : whole;
    if (!last) return undefined;
    try {
      return { text: decoder.decode(whole) };
    } catch {
      return "notUtf8";
    }
  };
}
