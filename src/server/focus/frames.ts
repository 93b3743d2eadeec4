import { fail, ok, type Result } from "../../shared/result.ts";

/** RFC 6455, section 11.8. */
export const opcodes = { piece: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const known: ReadonlySet<number> = new Set(Object.values(opcodes));

export type Frame = { opcode: number; last: boolean; payload: Buffer };
/** Why what came is no frame: against the rules of RFC 6455, or longer than any of ours. */
export type FrameFault = "notAWebsocket" | "tooBig";

export type FrameReader = {
  push(bytes: Buffer): void;
  /** The next whole frame; undefined while there is none. After a fault nothing of that peer is worth reading. */
  next(): Result<Frame, FrameFault> | undefined;
};

const nothing = Buffer.alloc(0);
const isControl = (opcode: number): boolean => opcode >= opcodes.close;

/** A client's frames out of its bytes. A length is judged as soon as it is known: no byte of a long frame is kept. */
export function createFrameReader(maxPayload: number): FrameReader {
  let waiting: Buffer = nothing;

  function take(): Result<Frame, FrameFault> | undefined {
    const head = readHead(waiting, maxPayload);
    if (head === undefined || !head.ok) return head;
    const { opcode, last, from, to } = head.value;
    if (waiting.length < to) return undefined;
    const payload = unmask(waiting.subarray(from - 4, from), waiting.subarray(from, to));
    waiting = waiting.subarray(to);
    return ok({ opcode, last, payload });
  }

  return {
    push(bytes) {
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
    },
    next() {
      const frame = take();
      // A copy of what is left: a few bytes would keep all that came with them alive, which may be half a megabyte.
      if (frame === undefined) waiting = Buffer.from(waiting);
      return frame;
    },
  };
}

type Head = { opcode: number; last: boolean; from: number; to: number };

function readHead(bytes: Buffer, maxPayload: number): Result<Head, FrameFault> | undefined {
  const [first, second] = bytes;
  if (first === undefined) return undefined;
  const opcode = first & 0x0f;
  const last = (first & 0x80) !== 0;
  if ((first & 0x70) !== 0 || !known.has(opcode) || (isControl(opcode) && !last)) return fail("notAWebsocket");
  if (second === undefined) return undefined;
  const length = second & 0x7f;
  if ((second & 0x80) === 0 || (isControl(opcode) && length > 125)) return fail("notAWebsocket");
  if (length === 127) return fail("tooBig"); // at least 65,536 bytes, if its sender is honest
  if (length === 126 && bytes.length < 4) return undefined;
  const size = length === 126 ? bytes.readUInt16BE(2) : length;
  if (size > maxPayload) return fail("tooBig");
  const from = (length === 126 ? 4 : 2) + 4;
  return ok({ opcode, last, from, to: from + size });
}

function unmask(mask: Buffer, masked: Buffer): Buffer {
  const payload = Buffer.from(masked);
  for (let at = 0; at < payload.length; at += 1) payload[at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return payload;
}

/** One whole frame as a server sends it, unmasked. */
export function writeFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (length >= 65_536) head.writeBigUInt64BE(BigInt(length), 2);
  else if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

/** A close frame's reason is a control frame's payload: 123 bytes are left for words. */
export function writeClose(code: number, words: string): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code, 0);
  return writeFrame(opcodes.close, Buffer.concat([payload, Buffer.from(words).subarray(0, 123)]));
}
