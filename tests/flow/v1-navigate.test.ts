import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { relayDirectories } from "../../src/shared/rendezvous.ts";
import { type IsolatedHome, isolatedHome } from "../rig/host/isolated-home.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { writeProject } from "../rig/host/project.ts";
import { startTui } from "../rig/host/start-tui.ts";
import { printedBytes, type Terminal } from "../rig/host/terminal.ts";
import { type ModelServer, startModel } from "../rig/model/model-server.ts";
import { needs } from "../rig/needs.ts";

/** The host draws this where a part of its screen threw. */
const crashed = /crashed|fatal error|TypeError/i;

needs("python3")("a real TUI that a hostile relay calls to what is no session", () => {
  let home: IsolatedHome;
  let model: ModelServer;
  let relay: WebSocketServer;
  let terminal: Terminal;
  let peer: Promise<WebSocket>;

  beforeAll(async () => {
    [home, model] = [isolatedHome(), await startModel()];
    writeProject(home, { modelURL: model.baseURL, tuiPlugins: [packageRoot()] });
    relay = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    await once(relay, "listening");
    peer = welcomed(relay);
    announce(relay, home);
    terminal = await startTui(home);
  });
  afterAll(async () => {
    await terminal?.end();
    relay?.close();
    await model?.close();
    home?.remove();
  });

  test("stays where it is, and goes on", async () => {
    const socket = await peer;
    const send = (frame: object) => socket.send(JSON.stringify(frame));
    let hasEnded = false;
    void terminal.exited.then(() => {
      hasEnded = true;
    });
    const from = terminal.output().length;
    const hostile = [
      "constructor",
      "__proto__",
      "toString",
      "hasOwnProperty",
      "../../../etc/passwd",
      "ses_../../global",
    ];
    for (const [at, sessionID] of hostile.entries()) {
      send({ type: "navigate", sessionID });
      const marker = String.fromCharCode(97 + at).repeat(12); // no cell of it stands there from the one before
      send({ type: "toast", message: marker });
      await printedBytes(terminal, marker);
    }
    expect(terminal.output().slice(from)).not.toMatch(crashed);
    expect(hasEnded).toBe(false);
  });
});

/** The first terminal that says hello, once it is welcome. */
const welcomed = (relay: WebSocketServer): Promise<WebSocket> =>
  new Promise((resolve) => {
    relay.on("connection", (socket) => {
      socket.on("error", () => {});
      socket.once("message", () => {
        socket.send(JSON.stringify({ type: "welcome", protocol: 1, relay: "r".repeat(16), heartbeatMs: 10_000 }));
        resolve(socket);
      });
    });
  });

function announce(relay: WebSocketServer, home: IsolatedHome): void {
  const address = relay.address();
  if (typeof address !== "object" || address === null) throw new Error("the relay does not listen");
  const { port } = address;
  const descriptor = {
    ...{ url: `ws://127.0.0.1:${port}/focus`, token: "t", pid: process.pid, startedAt: Date.now() },
    ...{ line: "v1", directories: [], protocol: 1 },
  };
  for (const folder of relayDirectories(home.env, home.root)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    writeFileSync(join(folder, "aaaaaaaaaaaaaaaa.json"), JSON.stringify(descriptor), { mode: 0o600 });
  }
}
