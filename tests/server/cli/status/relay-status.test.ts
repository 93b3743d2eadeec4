import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { askStatus } from "../../../../src/server/cli/status/relay-status.ts";
import { encode } from "../../../../src/shared/protocol.ts";

test("a busy opencode that cuts the first handshake is asked once more", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  let connections = 0;
  server.on("connection", (socket) => {
    connections += 1;
    if (connections === 1) return socket.terminate();
    socket.once("message", () => {
      socket.send(encode({ type: "welcome", protocol: 1, relay: "abcdefgh1234", heartbeatMs: 10_000 }));
      socket.once("message", () =>
        socket.send(encode({ type: "status", status: { version: "0.1.0", line: "v1", pid: 42 } })),
      );
    });
  });
  await new Promise((up) => server.once("listening", up));
  const address = server.address();
  const url = `ws://127.0.0.1:${typeof address === "object" ? address?.port : ""}/focus`;
  const descriptor = { url, token: "t", pid: 42, startedAt: 0, line: "v1", directories: [], protocol: 1 } as const;
  const asked = await askStatus({ ...descriptor, directories: [] });
  server.close();
  expect(asked).toMatchObject({ report: { version: "0.1.0", sessions: 0, terminals: [] } });
  expect(connections).toBe(2);
});
