import { expect, test } from "vitest";
import { accepting, readRequest, refuse } from "../../../src/server/focus/handshake.ts";

const headers = {
  host: "127.0.0.1:4711",
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const ask = (more: Record<string, string | undefined>, path = "/focus", method = "GET") => {
  const given = Object.entries({ ...headers, ...more });
  const present = given.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  return refuse({ method, path, headers: new Map(present) })?.status;
};

test("a plain handshake from this machine is let through, whatever loopback is called and whatever the tunnel's port", () => {
  for (const host of ["127.0.0.1:4711", "localhost:7777", "[::1]:1", "LOCALHOST", "127.0.0.1"])
    expect(ask({ host })).toBeUndefined();
  expect(ask({ upgrade: "WebSocket" })).toBeUndefined();
});

test.each<[string, number | undefined, Record<string, string | undefined>, string?, string?]>([
  ["any Origin, an empty one too", 403, { origin: "" }],
  ["a name that merely begins like loopback", 403, { host: "127.0.0.1.evil.example" }],
  ["a name that merely ends like loopback", 403, { host: "evil.example:127.0.0.1" }],
  ["two hosts in one", 403, { host: "127.0.0.1, evil.example" }],
  ["no host", 403, { host: undefined }],
  ["another path", 404, {}, "/"],
  ["a longer path", 404, {}, "/focus/"],
  ["another case", 404, {}, "/FOCUS"],
  ["a query", 401, {}, "/focus?token=x"],
  ["another method", 426, {}, "/focus", "POST"],
  ["another protocol", 426, { upgrade: "h2c" }],
  ["another version", 426, { "sec-websocket-version": "8" }],
  ["a connection that is not to be upgraded", 426, { connection: "keep-alive" }],
  ["a body behind the head", 400, { "content-length": "5" }],
  ["a key that is none", 400, { "sec-websocket-key": "short" }],
])("%s is refused", (_what, status, more, path, method) => {
  expect(ask(more, path, method)).toBe(status);
});

const head = (...lines: string[]) =>
  Buffer.from(`GET /focus HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`);

test("a head that comes a byte at a time is one request once it is whole", () => {
  const whole = head("Host: localhost", "X:  y ");
  for (let length = 0; length < whole.length; length += 1)
    expect(readRequest(whole.subarray(0, length))).toBeUndefined();
  const read = readRequest(Buffer.concat([whole, Buffer.from("early")]));
  expect(read).toMatchObject({ ok: true, value: { length: whole.length, request: { method: "GET", path: "/focus" } } });
  if (read?.ok)
    expect([...read.value.request.headers]).toEqual([
      ["host", "localhost"],
      ["x", "y"],
    ]);
});

test.each<[string, Buffer, number]>([
  ["a TLS hello, from its first byte", Buffer.from([0x16]), 400],
  ["another version of HTTP", Buffer.from("GET /focus HTTP/1.0\r\n\r\n"), 400],
  ["a path with a blank", Buffer.from("GET /fo cus HTTP/1.1\r\n\r\n"), 400],
  ["a line that goes on in the next one", head("X: a", " Origin: evil"), 400],
  ["a blank before the colon", head("Origin : evil"), 400],
  ["a bare line feed in a line", head("X: a\nOrigin: evil"), 400],
  ["a null byte", head("X: a\0"), 400],
  ["a head without an end", Buffer.from(`GET /focus HTTP/1.1\r\nX: ${"x".repeat(8_200)}`), 431],
])("%s is no request", (_what, bytes, status) => {
  expect(readRequest(bytes)).toMatchObject({ ok: false, error: { status } });
});

test("two hosts are no host we know, in whichever order", () => {
  for (const hosts of [
    ["127.0.0.1", "evil.example"],
    ["evil.example", "127.0.0.1"],
  ]) {
    const read = readRequest(head(...hosts.map((host) => `Host: ${host}`)));
    expect(read?.ok && refuse(read.value.request)).toMatchObject({ status: 403 });
  }
});

test("the proof for a key is the one of RFC 6455", () => {
  const request = {
    method: "GET",
    path: "/focus",
    headers: new Map([["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="]]),
  };
  expect(accepting(request)).toContain("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
});
