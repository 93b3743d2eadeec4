import { expect, test } from "vitest";
import { refuse } from "../../../src/server/focus/refuse.ts";

const headers = {
  host: "127.0.0.1:4711",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};
const ask = (more: Record<string, string | undefined>, url = "/focus", method = "GET") =>
  refuse({ method, url, headers: { ...headers, ...more } })?.status;

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
  ["a key that is none", 400, { "sec-websocket-key": "short" }],
])("%s is refused", (_what, status, more, url, method) => {
  expect(ask(more, url, method)).toBe(status);
});
