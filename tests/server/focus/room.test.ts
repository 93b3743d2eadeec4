import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { createRoom } from "../../../src/server/focus/room.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { openClient, terminalHello } from "../../flow/relay/client.ts";
import { openRaw, upgradeRequest } from "../../flow/relay/raw.ts";

async function setUp() {
  const clock = createHandCrankedClock();
  const store = createPresenceStore({ clock, maxTerminals: () => 8, onPresence: () => {} });
  const room = createRoom({
    ...{ clock, store, relayID: "relay", token: "token" },
    log: () => {},
    observer: () => undefined,
    onRefused: () => {},
  });
  const server = createServer(room.accept).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    room.empty();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}/focus`;
  const attach = () => {
    const client = openClient(url);
    client.send(terminalHello("token"));
    return client;
  };
  return { store, room, url, attach };
}

test("whoever comes while a relay closes is sent away like those who were there: nobody would hear it any more", async () => {
  const { store, room, attach } = await setUp();
  const early = attach();
  await early.take("welcome");
  room.empty();
  const late = attach();
  expect((await early.closed).code).toBe(1001);
  await late.closed;
  expect(store.presence().size).toBe(0);
});

test.each([
  ["say nothing", ""],
  ["send half a request", "GET /focus HTTP/1.1\r\nHo"],
  ["upgrade, and then say nothing", upgradeRequest("/focus")],
])("of strangers that %s the oldest goes for the next one, and a terminal always gets in", async (_what, bytes) => {
  const { url, attach } = await setUp();
  const strangers = Array.from({ length: 512 }, () => openRaw(url, bytes));
  await Promise.all(strangers.map(({ socket }) => once(socket, "connect")));
  const terminal = attach();
  await terminal.take("welcome");
  await strangers[0]?.ended;
  const more = Array.from({ length: 512 }, () => openRaw(url, bytes));
  await Promise.all(strangers.map(({ ended }) => ended));
  terminal.send({ type: "bye" });
  expect(await terminal.closed).toMatchObject({ code: 1000 });
  for (const { socket } of more) socket.destroy();
});
