import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { maxFrameBytes } from "../../shared/protocol.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type Refusal, refuse } from "./refuse.ts";

/** A request that has not become a websocket after this long is cut (Bun 1.3.14: after about 12 s, whatever we say). */
const requestMs = 2_000;

export type FrontDoor = {
  port: number;
  /** Upgraded sockets are not its own: the relay cuts those first. */
  close(): void;
};

export type FrontDoorDeps = {
  /** Sockets that may be open at a time, strangers included. */
  maxSockets(): number;
  hasRoom(): boolean;
  accept(socket: WebSocket): void;
  onRefused(refusal: Refusal): void;
};

export type FrontDoorFailure = { kind: "no-websockets" | "cannot-listen"; detail: string };

/** Listens on 127.0.0.1, any port, and turns away everything but a plain websocket handshake from this machine. */
export async function openFrontDoor(deps: FrontDoorDeps): Promise<Result<FrontDoor, FrontDoorFailure>> {
  let ws: typeof import("ws");
  try {
    ws = await import("ws");
  } catch (error) {
    return fail({ kind: "no-websockets", detail: words(error) });
  }
  const upgrades = new ws.WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const http = createServer({ headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: 500 });
  http.maxConnections = deps.maxSockets();
  http.on("request", (request, response) => {
    response.writeHead(426, { connection: "close" }).end(() => request.socket.destroy());
  });
  http.on("clientError", (_error, socket) => socket.destroy());
  http.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    http.maxConnections = deps.maxSockets(); // the configuration may have changed
    socket.on("error", () => {}); // a peer that vanishes in the handshake
    const refusal = refuse(request) ?? (deps.hasRoom() ? undefined : noRoom);
    if (refusal === undefined) return upgrades.handleUpgrade(request, tame(socket), head, deps.accept);
    deps.onRefused(refusal);
    turnAway(socket, refusal);
  });
  const listening = await listen(http);
  if (!listening.ok) return listening;
  http.setTimeout(requestMs); // after `listen`: Bun 1.3.14 forgets it otherwise
  http.unref();
  return ok({ port: listening.value, close: () => close(http) });
}

const noRoom: Refusal = { status: 503, why: "too many connections" };
const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Bun 1.3.14 sends nothing from here and only ends the socket; Node and Bun 1.4 send the status too. */
function turnAway(socket: Duplex, { status }: Refusal): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/** Peers that vanish without a word, behind a tunnel say, are asked after this long, ms. */
const keepAliveMs = 30_000;

/** Ours must never keep a host alive, nor a dead peer its place. Every runtime hands over its own kind of socket. */
function tame<S extends Duplex>(socket: S): S {
  if ("unref" in socket && typeof socket.unref === "function") socket.unref();
  if ("setKeepAlive" in socket && typeof socket.setKeepAlive === "function") socket.setKeepAlive(true, keepAliveMs);
  return socket;
}

function listen(http: Server): Promise<Result<number, FrontDoorFailure>> {
  return new Promise((answer) => {
    const failed = (error: Error) => answer(fail({ kind: "cannot-listen", detail: error.message }));
    http.once("error", failed);
    http.listen(0, "127.0.0.1", () => {
      http.off("error", failed);
      http.on("error", () => {});
      const address = http.address();
      if (address !== null && typeof address === "object") answer(ok(address.port));
      else answer(fail({ kind: "cannot-listen", detail: "no port" }));
    });
  });
}

/** Nobody waits for the end: Bun 1.3.14 never calls back. */
function close(http: Server): void {
  http.close();
  http.closeAllConnections();
}
