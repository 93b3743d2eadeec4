import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure, type TLSSocket } from "node:tls";
import { guarded } from "../../shared/guard.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { createHeadReader } from "./http-answer.ts";
import { type HttpProxy, withoutBrackets } from "./http-proxy.ts";

/** A code of the system or of TLS, or words of ours: never an address, never what a server said. */
type Opened = Result<Socket, string>;

/**
 * A connection to where a request for this address goes: to the server, to the proxy (http), or through the proxy to the
 * server (https). Certificates are checked as Node and Bun check them. An abort destroys whatever is open. It keeps no
 * process alive.
 */
export async function openSocket(url: URL, proxy: HttpProxy | undefined, signal: AbortSignal): Promise<Opened> {
  const isSecure = url.protocol === "https:";
  const host = withoutBrackets(url.hostname);
  const port = Number(url.port) || (isSecure ? 443 : 80);
  if (proxy === undefined) return isSecure ? secure({ host, port }, host, signal) : plain(host, port, signal);
  const near = proxy.secure ? await secure(proxy, proxy.host, signal) : await plain(proxy.host, proxy.port, signal);
  if (!near.ok || !isSecure) return near;
  const tunnel = await openTunnel(near.value, `${url.hostname}:${port}`, proxy, signal);
  return tunnel.ok ? secure({ socket: tunnel.value }, host, signal) : tunnel;
}

const plain = (host: string, port: number, signal: AbortSignal): Promise<Opened> =>
  opened(connectPlain({ host, port }), "connect", signal);

function secure(
  over: { host: string; port: number } | { socket: Socket },
  name: string,
  signal: AbortSignal,
): Promise<Opened> {
  const to = "socket" in over ? { socket: over.socket } : { host: over.host, port: over.port };
  const servername = isIP(name) === 0 ? { servername: name } : {};
  return opened(
    connectSecure({ ...to, ...servername, host: name, ALPNProtocols: ["http/1.1"] }),
    "secureConnect",
    signal,
  );
}

function opened(socket: Socket | TLSSocket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<Opened> {
  socket.unref();
  destroyOnAbort(socket, signal);
  return new Promise((resolve) => {
    const failed = guarded("push", (error: Error) => resolve(fail(codeOf(error))));
    const closed = guarded("push", () => resolve(fail("closed")));
    const isOpen = guarded("push", () => {
      socket.unref(); // Bun has nothing to let go of before
      resolve(ok(socket));
    });
    socket.on("error", failed); // stays: one that comes later must not be uncaught
    socket.once("close", closed);
    socket.once(event, isOpen);
  });
}

function destroyOnAbort(socket: Socket, signal: AbortSignal): void {
  const destroy = guarded("push", () => socket.destroy());
  const forget = guarded("push", () => signal.removeEventListener("abort", destroy));
  if (signal.aborted) return destroy();
  signal.addEventListener("abort", destroy, { once: true });
  socket.once("close", forget);
}

/** `CONNECT`: what goes into the socket afterwards comes out at the server. */
function openTunnel(socket: Socket, to: string, { authorization }: HttpProxy, signal: AbortSignal): Promise<Opened> {
  const read = createHeadReader();
  return new Promise((resolve) => {
    const settle = (result: Opened) => {
      socket.off("data", hear);
      if (!result.ok) socket.destroy();
      resolve(result);
    };
    const hear = guarded("push", (chunk: Buffer) => {
      const answer = read(chunk);
      if (!answer.ok) return settle(fail("the proxy's answer is not HTTP"));
      if (answer.value === undefined) return;
      const { head, rest } = answer.value;
      if (head.status < 200 || head.status > 299) return settle(fail(`the proxy answers HTTP ${head.status}`));
      settle(rest.length > 0 ? fail("the proxy says more than it should") : ok(socket));
    });
    const closed = guarded("push", () => settle(fail("the proxy closed the connection")));
    socket.on("data", hear);
    socket.once("close", closed);
    if (signal.aborted) return settle(fail("closed"));
    const credentials = authorization === undefined ? "" : `Proxy-Authorization: ${authorization}\r\n`;
    socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n${credentials}\r\n`, "latin1");
  });
}

/** A word for the log: the code where there is one. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : "unknown";
}
