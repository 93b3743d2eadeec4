import { createHash } from "node:crypto";
import { relayPath } from "../../shared/protocol.ts";
import { fail, ok, type Result } from "../../shared/result.ts";

/** Why a request does not become a websocket, and the status it is told so with. */
export type Refusal = { status: 400 | 401 | 403 | 404 | 426 | 431; why: string };
export type Request = { method: string; path: string; headers: ReadonlyMap<string, string> };

/** A handshake of ours has about 250 bytes; a browser's, which is refused by its `Origin`, up to a few thousand. */
const maxHeadBytes = 8_192;

const requestLine = /^([A-Z]{3,16}) (\S{1,4096}) HTTP\/1\.1$/;
/** Source: RFC 9112, section 5. A line that begins with a blank, once the rest of the one before, is none. */
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t -~\x80-\xff]*?)[\t ]*$/;

const broken: Refusal = { status: 400, why: "a broken request" };

/** The request once its head is complete, and how many bytes that was; undefined while it may still become one. */
export function readRequest(bytes: Buffer): Result<{ request: Request; length: number }, Refusal> | undefined {
  const [first] = bytes;
  if (first !== undefined && (first < 0x41 || first > 0x5a)) return fail(broken); // TLS, or nothing at all
  const end = bytes.indexOf("\r\n\r\n");
  if ((end < 0 ? bytes.length : end) > maxHeadBytes) return fail({ status: 431, why: "too long a request" });
  if (end < 0) return undefined;
  const request = readHead(bytes.toString("latin1", 0, end));
  return request.ok ? ok({ request: request.value, length: end + 4 }) : request;
}

function readHead(text: string): Result<Request, Refusal> {
  const [line = "", ...lines] = text.split("\r\n");
  const [, method, path] = requestLine.exec(line) ?? [];
  if (method === undefined || path === undefined) return fail(broken);
  const headers = new Map<string, string>();
  for (const each of lines) {
    const [, name, value] = headerLine.exec(each) ?? [];
    if (name === undefined || value === undefined) return fail(broken);
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`); // two hosts are no host we know
  }
  return ok({ method, path, headers });
}

const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;
const handshakeKey = /^[+/0-9A-Za-z]{22}==$/;

/**
 * The list, in order. A browser page always sends `Origin` and cannot leave it out; a name that was made to
 * point at loopback shows in `Host` (its port may differ: tunnels). The address is compared as it came,
 * so neither a query nor a path with dots can match.
 */
export function refuse({ method, path, headers }: Request): Refusal | undefined {
  const has = (name: string, word: RegExp) => word.test(headers.get(name) ?? "");
  if (headers.has("origin")) return { status: 403, why: "sent by a web page" };
  if (!has("host", loopbackHost)) return { status: 403, why: "asked for another host" };
  if (path !== relayPath)
    return { status: path.startsWith(`${relayPath}?`) ? 401 : 404, why: "asked for another path" };
  if (method !== "GET" || !has("upgrade", /^websocket$/i) || !has("connection", /(^|,)\s*upgrade\s*(,|$)/i))
    return { status: 426, why: "not a websocket" };
  if (!has("sec-websocket-version", /^13$/)) return { status: 426, why: "not version 13" };
  if (!has("sec-websocket-key", handshakeKey)) return { status: 400, why: "a broken handshake" };
  // What follows the head is read as frames: it must not be a body as well.
  if (headers.has("content-length") || headers.has("transfer-encoding")) return broken;
  return undefined;
}

/** Source: RFC 6455, section 4.2.2. No extension and no subprotocol is ever agreed on. */
export function accepting({ headers }: Request): string {
  const key = headers.get("sec-websocket-key") ?? "";
  const proof = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
  return `${[...lines, `Sec-WebSocket-Accept: ${proof}`].join("\r\n")}\r\n\r\n`;
}

export const refusing = ({ status }: Refusal): string =>
  `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
