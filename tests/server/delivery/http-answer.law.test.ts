import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBodyReader, createHeadReader } from "../../../src/server/delivery/http-answer.ts";

/** Reads these bytes, cut at these places: the status, the body, and whether that has ended; or what is wrong. */
function read(bytes: Buffer, cuts: readonly number[] = []) {
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const readHead = createHeadReader();
  let readBody: ReturnType<typeof createBodyReader> | undefined;
  let [status, over] = [0, false];
  const body: Buffer[] = [];
  for (const [index, from] of edges.slice(0, -1).entries()) {
    let chunk = bytes.subarray(from, edges[index + 1]);
    if (readBody === undefined) {
      const answer = readHead(chunk);
      if (!answer.ok) return answer.error;
      if (answer.value === undefined) continue;
      status = answer.value.head.status;
      readBody = createBodyReader(answer.value.head);
      chunk = answer.value.rest;
    }
    const part = readBody(chunk);
    if (!part.ok) return part.error;
    body.push(...part.value.data);
    over ||= part.value.over;
  }
  return { status, body: Buffer.concat(body), over };
}

const asChunks = (parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`${part.length.toString(16)};a=b\r\n`), part, Buffer.from("\r\n")]),
    Buffer.from("0\r\n\r\n"),
  ]);

const cuts = fc.array(fc.nat(), { maxLength: 30 });

test("however an answer is cut into pieces, the same is read of it", () => {
  const framings = [
    (parts: Uint8Array[]) => ({ header: "Transfer-Encoding: chunked", bytes: asChunks(parts) }),
    (parts: Uint8Array[]) => ({
      header: `Content-Length: ${Buffer.concat(parts).length}`,
      bytes: Buffer.concat([...parts, Buffer.from("what follows")]),
    }),
  ];
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1 }),
      fc.constantFrom(...framings),
      fc.constantFrom("\r\n", "\n"),
      fc.constantFrom("", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"),
      cuts,
      (parts, framing, line, interim, where) => {
        const { header, bytes } = framing(parts);
        const head = Buffer.from(`${interim}HTTP/1.1 200 OK${line}X: y${line}${header}${line}${line}`);
        const expected = { status: 200, body: Buffer.concat(parts), over: true };
        expect(read(Buffer.concat([head, bytes]), where)).toEqual(expected);
      },
    ),
  );
});

test("nothing a server sends throws, or is kept beyond its limits", () => {
  const near = fc.constantFrom(
    "HTTP/1.1 200 OK\r\n",
    "Transfer-Encoding: chunked\r\n",
    "\r\n",
    "ffffffff\r\n",
    "0",
    "-1\r\n",
  );
  const bytes = fc.array(fc.oneof(near, fc.string()), { maxLength: 20 }).map((parts) => Buffer.from(parts.join("")));
  fc.assert(
    fc.property(bytes, cuts, (sent, where) => {
      const said = read(sent, where);
      if (typeof said !== "string") expect(said.body.length).toBeLessThanOrEqual(sent.length);
    }),
  );
});

describe("an answer is given up", () => {
  const tooLong = "the head of its answer is too long";
  const badlyCut = "its answer is not cut properly";
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  test.each([
    ["whose head has more than 16 KiB", `HTTP/1.1 200 OK\r\nX: ${"a".repeat(16_384)}`, tooLong],
    ["that has more than 16 KiB of interim ones before it", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000), tooLong],
    ["that is no HTTP", "SSH-2.0-OpenSSH\r\n\r\n", "its answer is not HTTP"],
    ["of HTTP 2", "HTTP/2 200\r\n\r\n", "its answer is not HTTP"],
    ["without a status", "HTTP/1.1 abc\r\n\r\n", "its answer is not HTTP"],
    ["with a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx", "its answer has no proper length"],
    ["with a chunk that has no length", `${chunked}xyz\r\n`, badlyCut],
    ["with a chunk longer than it says", `${chunked}1\r\nab\r\n`, badlyCut],
    ["with a line of a chunk that has no end", `${chunked}1;${"a".repeat(2_000)}`, badlyCut],
  ])("%s", (_, text, wrong) => {
    expect(read(Buffer.from(text))).toBe(wrong);
  });
});
