import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFrameReader, type Frame, opcodes, writeClose, writeFrame } from "../../../src/server/focus/frames.ts";

/** As a client sends it: masked. */
function masked({ opcode, last, payload }: Frame, mask = Buffer.from([1, 2, 3, 250])): Buffer {
  const written = writeFrame(opcode, payload);
  const head = written.subarray(0, written.length - payload.length);
  head[0] = (last ? 0x80 : 0) | opcode;
  head[1] = (head[1] ?? 0) | 0x80;
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at & 3] ?? 0))]);
}

function readAll(pieces: readonly Buffer[], most = 4_096) {
  const reader = createFrameReader(most);
  const frames: Frame[] = [];
  for (const piece of pieces) {
    reader.push(piece);
    for (let next = reader.next(); next !== undefined; next = reader.next()) {
      if (!next.ok) return { frames, fault: next.error };
      frames.push(next.value);
    }
  }
  return { frames };
}

const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const anyFrame = fc.oneof(
  fc.record({
    opcode: fc.constantFrom(opcodes.text, opcodes.piece, opcodes.binary),
    last: fc.boolean(),
    payload: bytes(400),
  }),
  fc.record({ opcode: fc.constantFrom(opcodes.ping, opcodes.pong), last: fc.constant(true), payload: bytes(125) }),
);

describe("frames", () => {
  test("are the same however their bytes were cut on the way", () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 6 }), fc.array(fc.nat(400)), (sent, cuts) => {
        const all = Buffer.concat(sent.map((frame) => masked(frame)));
        const pieces: Buffer[] = [];
        let from = 0;
        for (const length of cuts) {
          pieces.push(all.subarray(from, from + length));
          from += length;
        }
        pieces.push(all.subarray(from));
        expect(readAll(pieces)).toEqual({ frames: sent });
      }),
    );
  });

  test("of any bytes at all are frames or a fault, and never more than was allowed is kept for one", () => {
    fc.assert(
      fc.property(fc.array(bytes(60), { maxLength: 10 }), (pieces) => {
        for (const { payload } of readAll(pieces, 50).frames) expect(payload.length).toBeLessThanOrEqual(125);
      }),
    );
  });

  test.each<[string, number[]]>([
    ["4,097 bytes", [0x81, 0xfe, 0x10, 0x01]],
    ["65,536 bytes or more, whatever comes after", [0x81, 0xff]],
    ["a piece of 5,000 bytes", [0x00, 0xfe, 0x13, 0x88]],
  ])("that announce %s are too big before a byte of them came", (_what, head) => {
    expect(readAll([Buffer.from(head)])).toEqual({ frames: [], fault: "tooBig" });
  });

  test.each<[string, number[]]>([
    ["a kind nobody knows", [0x83]],
    ["an extension nobody agreed on", [0xc1]],
    ["no mask", [0x81, 0x05]],
    ["a ping in pieces", [0x09]],
    ["a ping of more than 125 bytes", [0x89, 0xfe]],
  ])("with %s are none", (_what, head) => {
    expect(readAll([Buffer.from(head)])).toEqual({ frames: [], fault: "notAWebsocket" });
  });

  test("for a peer have the shortest head for their length", () => {
    const headOf = (length: number) => writeFrame(opcodes.text, Buffer.alloc(length)).subarray(0, -length || undefined);
    expect(headOf(125)).toEqual(Buffer.from([0x81, 125]));
    expect(headOf(126)).toEqual(Buffer.from([0x81, 126, 0, 126]));
    expect(headOf(65_536)).toEqual(Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]));
    expect(writeClose(4401, "no")).toEqual(Buffer.from([0x88, 4, 0x11, 0x31, ...Buffer.from("no")]));
  });
});
