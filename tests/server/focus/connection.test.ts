import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
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
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    const connection = serveConnection(socket, {
      clock,
      log: () => {},
      admit(_hello, line) {
        lines.push(line);
        heard.push("hello");
        return ok({ receive: (text) => void heard.push(text), gone: () => heard.push("gone") });
      },
      onAdmitted: () => heard.push("admitted"),
      onRefused: ({ why }) => heard.push(why),
      onEnd: () => heard.push("end"),
    });
    connection.hear(Buffer.alloc(0));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { clock, heard, lines, url: `ws://127.0.0.1:${port}/focus` };
}

/** A terminal that never answers a goodbye and never hangs up. */
async function setUpStubborn() {
  const { url, ...rest } = await setUp();
  const { socket, received } = openRaw(url, upgradeRequest("/focus"), { hangsUp: false });
  onTestFinished(() => void socket.destroy());
  await expect.poll(received).toContain(" 101 ");
  socket.write(frame(JSON.stringify(terminalHello("token"))));
  await expect.poll(() => rest.heard).toEqual(["hello", "admitted"]);
  return { socket, ...rest };
}

test.each([
  ["a frame that is too big", frame("x".repeat(4_097))],
  ["a frame no websocket knows", frame("x", { opcode: 3 })],
])("a terminal is gone with %s, though its socket stays open; then that is cut", async (_what, broken) => {
  const { clock, heard, socket } = await setUpStubborn();
  socket.write(broken);
  await expect.poll(() => heard).toEqual(["hello", "admitted", "gone"]);
  clock.advance(1_000);
  await expect.poll(() => heard).toEqual(["hello", "admitted", "gone", "end"]);
});

test("a terminal we say goodbye to is gone at once, and cut when it does not answer", async () => {
  const { clock, heard, lines, socket } = await setUpStubborn();
  lines[0]?.end("replaced");
  expect(heard).toEqual(["hello", "admitted", "gone"]);
  socket.write(frame("too late"));
  clock.advance(1_000);
  await expect.poll(() => heard).toEqual(["hello", "admitted", "gone", "end"]);
});

test("who says hello in time stays as long as it likes; who hangs up is gone", async () => {
  const { clock, heard, url } = await setUp();
  const { socket, send } = openClient(url);
  await once(socket, "open");
  clock.advance(1_999);
  send(terminalHello("token"));
  await expect.poll(() => heard).toEqual(["hello", "admitted"]);
  clock.advance(600_000);
  send("still here");
  await expect.poll(() => heard).toEqual(["hello", "admitted", "still here"]);
  socket.close();
  await expect.poll(() => heard).toEqual(["hello", "admitted", "still here", "gone", "end"]);
});

test("who has asked for nothing after two seconds is cut, and so is who has asked for half of it", async () => {
  for (const bytes of ["", "GET /focus HTTP/1.1\r\nHo"]) {
    const { clock, heard, url } = await setUp();
    const stranger = openRaw(url, bytes);
    await expect.poll(clock.waiting).toBe(1);
    clock.advance(2_000);
    clock.advance(1);
    await stranger.ended;
    await expect.poll(() => heard).toEqual(["end"]);
  }
});

test("a text made of pieces is read like any other", async () => {
  const { heard, url } = await setUp();
  const { socket, received } = openRaw(url, upgradeRequest("/focus"));
  onTestFinished(() => void socket.destroy());
  await expect.poll(received).toContain(" 101 ");
  const hello = Buffer.from(JSON.stringify(terminalHello("token", { name: "gr\u00fcn" })));
  const at = hello.indexOf(0xc3) + 1; // inside of a letter
  socket.write(frame(hello.subarray(0, at), { last: false }));
  socket.write(frame("", { opcode: 9 }));
  socket.write(frame(hello.subarray(at), { opcode: 0 }));
  await expect.poll(() => heard).toEqual(["hello", "admitted"]);
});
