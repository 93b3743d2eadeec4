import { lstat } from "node:fs/promises";
import { guarded } from "../shared/guard.ts";
import { maxFrameBytes } from "../shared/protocol.ts";
import { socketProblem, unixPath } from "../shared/rendezvous.ts";

/** The four words of a websocket we use; `ws` on Node, its stand-in in Bun. Never throws. */
export type Socket = {
  send(text: string): void;
  /** Says goodbye; `cut` ends it without. */
  close(): void;
  cut(): void;
};

export type SocketEvents = {
  onOpen(): void;
  onText(text: string): void;
  /** Exactly once, also when it never opened. 1006: broken. */
  onClose(code: number): void;
};

export type OpenSocket = (url: string, events: SocketEvents, maxBytes?: number) => Promise<Socket>;

/** Rejects when there is no `ws` at all, no such address can be, or a unix socket is not this user's own. */
export const openSocket: OpenSocket = async (url, { onOpen, onText, onClose }, maxBytes = maxFrameBytes) => {
  await refuseForeign(unixPath(url));
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: maxBytes, followRedirects: false });
  let over = false;
  const end = guarded("relay", (code: number) => {
    const isNews = !over;
    over = true;
    if (isNews) onClose(code);
  });
  const opened = guarded("relay", () => {
    unref(socket);
    onOpen();
  });
  const heard = guarded("relay", (data: unknown, isBinary: boolean) => {
    const text = String(data);
    if (!isBinary && text.length <= maxBytes) onText(text); // Bun 1.3.14 does not know `maxPayload`
  });
  socket.on("open", opened);
  socket.on("message", heard);
  socket.on("error", () => {}); // `close` follows
  socket.on("close", end);
  return {
    send: (text) => socket.readyState === socket.OPEN && socket.send(text, () => {}),
    close: () => socket.close(),
    cut() {
      socket.terminate();
      end(1006);
    },
  };
};

async function refuseForeign(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const problem = socketProblem(await lstat(path).catch(() => undefined), process.getuid?.());
  if (problem !== undefined) throw new Error(problem);
}

/** `ws` keeps its socket to itself. Bun 1.3.14 has none to show: there `cut` at the end is what frees the process. */
function unref(socket: object): void {
  const tcp: unknown = Reflect.get(socket, "_socket");
  if (typeof tcp === "object" && tcp !== null && "unref" in tcp && typeof tcp.unref === "function") tcp.unref();
}
