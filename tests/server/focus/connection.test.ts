import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { type Line, serveConnection } from "../../../src/server/focus/connection.ts";
import { ok } from "../../../src/shared/result.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { openClient, terminalHello } from "../../flow/relay/client.ts";
import { frame, openRaw, upgradeRequest } from "../../flow/relay/raw.ts";

/** Real sockets, served by us with a clock that stands still. */
async function setUp() {
  const clock = createHandCrankedClock();
  const heard: string[] = [];
  const lines: Line[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 4_096 });
  server.on("connection", (socket: WebSocket) => {
    serveConnection(socket, {
      clock,
      log: () => {},
      admit(_hello, line) {
        lines.push(line);
        heard.push("hello");
        return ok({ receive: (text) => void heard.push(text), gone: () => heard.push("gone") });
      },
      onEnd: () => heard.push("end"),
    });
  });
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { clock, heard, lines, port };
}

/** A terminal that never answers a goodbye and never hangs up. */
async function setUpStubborn() {
  const { port, ...rest } = await setUp();
  const { socket, received } = openRaw(port, upgradeRequest("/focus"), { hangsUp: false });
  onTestFinished(() => void socket.destroy());
  await expect.poll(received).toContain(" 101 ");
  socket.write(frame(JSON.stringify(terminalHello("token"))));
  await expect.poll(() => rest.heard).toEqual(["hello"]);
  return { socket, ...rest };
}

test.each([
  ["a frame that is too big", frame("x".repeat(4_097))],
  ["a frame no websocket knows", frame("x", { opcode: 3 })],
])("a terminal is gone with %s, though its socket stays open; then that is cut", async (_what, broken) => {
  const { clock, heard, socket } = await setUpStubborn();
  socket.write(broken);
  await expect.poll(() => heard).toEqual(["hello", "gone"]);
  clock.advance(1_000);
  await expect.poll(() => heard).toEqual(["hello", "gone", "end"]);
});

test("a terminal we say goodbye to is gone at once, and cut when it does not answer", async () => {
  const { clock, heard, lines, socket } = await setUpStubborn();
  lines[0]?.end("replaced");
  expect(heard).toEqual(["hello", "gone"]);
  socket.write(frame("too late"));
  clock.advance(1_000);
  await expect.poll(() => heard).toEqual(["hello", "gone", "end"]);
});

test("who says hello in time stays as long as it likes; who hangs up is gone", async () => {
  const { clock, heard, port } = await setUp();
  const { socket, send } = openClient(`ws://127.0.0.1:${port}/focus`);
  await once(socket, "open");
  clock.advance(1_999);
  send(terminalHello("token"));
  await expect.poll(() => heard).toEqual(["hello"]);
  clock.advance(600_000);
  send("still here");
  await expect.poll(() => heard).toEqual(["hello", "still here"]);
  socket.close();
  await expect.poll(() => heard).toEqual(["hello", "still here", "gone", "end"]);
});
