import { WebSocket } from "ws";

/** A client written for tests: keeps every frame and how it ended. */
export type Client = {
  socket: WebSocket;
  frames: Record<string, unknown>[];
  send(frame: unknown): void;
  /** The next frame of that type that was not taken yet. */
  take(type: string): Promise<Record<string, unknown>>;
  closed: Promise<{ code: number; reason: string }>;
};

export const report = (focus: "focused" | "blurred" | "unknown", sessionID = "ses_a") => ({
  focus,
  view: { type: "session", sessionID },
  idleMs: 0,
});

export const terminalHello = (token: string, more: object = {}) => ({
  type: "hello",
  role: "terminal",
  protocols: [1],
  token,
  id: "terminal-a",
  name: "pid 1 on pts/1",
  seq: 1,
  report: report("focused"),
  ...more,
});

export function openClient(url: string, options: object = {}): Client {
  const socket = new WebSocket(url, options);
  const frames: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    for (const look of waiting.splice(0)) look();
  });
  socket.on("error", () => {}); // `close` follows
  const closed = new Promise<{ code: number; reason: string }>((done) =>
    socket.on("close", (code, reason) => done({ code, reason: String(reason) })),
  );
  const send = (frame: unknown) => {
    const text = typeof frame === "string" ? frame : JSON.stringify(frame);
    if (socket.readyState === socket.OPEN) socket.send(text);
    else socket.once("open", () => socket.send(text));
  };
  async function take(type: string): Promise<Record<string, unknown>> {
    for (;;) {
      const at = frames.findIndex((frame) => frame.type === type);
      const [frame] = at < 0 ? [] : frames.splice(at, 1);
      if (frame !== undefined) return frame;
      await new Promise<void>((look, fail) => {
        waiting.push(look);
        void closed.then(({ code }) => fail(new Error(`closed with ${code} while waiting for ${type}`)));
      });
    }
  }
  return { socket, frames, send, take, closed };
}
