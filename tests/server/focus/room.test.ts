import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { createRoom } from "../../../src/server/focus/room.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { openClient, terminalHello } from "../../flow/relay/client.ts";

async function setUp() {
  const clock = createHandCrankedClock();
  const store = createPresenceStore({ clock, maxTerminals: () => 8, onPresence: () => {} });
  const room = createRoom({
    ...{ clock, store, relayID: "relay", token: "token", maxTerminals: () => 8 },
    log: () => {},
    observer: () => undefined,
  });
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" }).on("connection", room.accept);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const attach = () => {
    const client = openClient(`ws://127.0.0.1:${port}/focus`);
    client.send(terminalHello("token"));
    return client;
  };
  return { store, room, attach };
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
