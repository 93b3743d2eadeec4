import { afterEach, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { isFrame, observeRelay } from "../../../../src/server/cli/relays/observe-relay.ts";
import { encode } from "../../../../src/shared/protocol.ts";

const servers: WebSocketServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

/** A relay that does this with whoever says hello. */
async function relayThat(answers: (socket: WebSocket) => void): Promise<{ url: string; token: string }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  servers.push(server);
  server.on("connection", (socket) => socket.once("message", () => answers(socket)));
  await new Promise((up) => server.once("listening", up));
  const address = server.address();
  return { url: `ws://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, token: "t" };
}

test.each([
  [4401, "bad token", "closed with 4401 (bad token)"],
  [1000, "", "it closed the connection"],
])("a relay that closes with %i says why", async (code, reason, detail) => {
  const relay = await relayThat((socket) => socket.close(code, reason));
  expect(await observeRelay(relay)).toEqual({ ok: false, error: { detail } });
});

test("whoever waits for an answer hears at once that the relay is gone", async () => {
  const relay = await relayThat((socket) => {
    socket.send(encode({ type: "welcome", protocol: 1, relay: "abcdefgh1234", heartbeatMs: 10_000 }));
    socket.once("message", () => socket.terminate());
  });
  const observer = await observeRelay(relay);
  if (!observer.ok) throw new Error(observer.error.detail);
  const answer = observer.value.next(isFrame("status"), 600_000);
  observer.value.send({ type: "status" });
  expect(await answer).toBeUndefined();
});
