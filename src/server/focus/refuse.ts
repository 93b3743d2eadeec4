import type { IncomingMessage } from "node:http";
import { relayPath } from "../../shared/protocol.ts";

/** Why a request does not become a websocket, and the status sent where the runtime lets us send one. */
export type Refusal = { status: 400 | 401 | 403 | 404 | 426 | 503; why: string };

const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;
const handshakeKey = /^[+/0-9A-Za-z]{22}==$/;

/**
 * The list, in order. A browser page always sends `Origin` and cannot leave it out; a name that was made to
 * point at loopback shows in `Host` (its port may differ: tunnels). The address is compared as it came,
 * so neither a query nor a path with dots can match.
 */
export function refuse(request: Pick<IncomingMessage, "method" | "url" | "headers">): Refusal | undefined {
  const { method, url, headers } = request;
  if (headers.origin !== undefined) return { status: 403, why: "sent by a web page" };
  if (!loopbackHost.test(headers.host ?? "")) return { status: 403, why: "asked for another host" };
  if (url !== relayPath) return { status: url?.startsWith(`${relayPath}?`) ? 401 : 404, why: "asked for another path" };
  if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket")
    return { status: 426, why: "not a websocket" };
  if (headers["sec-websocket-version"] !== "13") return { status: 426, why: "not version 13" };
  if (!handshakeKey.test(headers["sec-websocket-key"] ?? "")) return { status: 400, why: "a broken handshake" };
  return undefined;
}
