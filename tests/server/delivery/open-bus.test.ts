import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBus } from "../../../src/server/delivery/open-bus.ts";

let folder: string;
let server: Server | undefined;
let sockets: Socket[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-bus-"));
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  rmSync(folder, { recursive: true, force: true });
});

/** Something that listens where a bus is expected. */
async function serve(answer: (socket: Socket, heard: string) => void): Promise<string> {
  const path = join(folder, "bus");
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (data) => answer(socket, data.toString("latin1")));
  });
  await new Promise<void>((up) => server?.listen(path, up));
  return path;
}

const never = () => new AbortController().signal;
const signedIn = "OK 0123456789abcdef0123456789abcdef\r\n";

describe("a bus that is none", () => {
  test("that refuses everybody is refused, not thrown", async () => {
    const path = await serve((socket) => socket.write("REJECTED EXTERNAL\r\n"));
    expect(await openBus([path], never())).toMatchObject({ ok: false, error: { kind: "lost" } });
  });

  test("that hangs up is lost", async () => {
    const path = await serve((socket) => socket.end());
    expect(await openBus([path], never())).toMatchObject({ ok: false, error: { kind: "lost" } });
  });

  test("that talks rubbish after signing in is lost", async () => {
    const path = await serve((socket, heard) =>
      socket.write(heard.includes("BEGIN") ? "HTTP/1.1 400 Bad\r\n\r\n" : signedIn),
    );
    expect(await openBus([path], never())).toMatchObject({ ok: false, error: { kind: "lost" } });
  });

  test("that claims a message of gigabytes is lost", async () => {
    const huge = Buffer.from([0x6c, 2, 0, 1, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0, 0, 0, 0, 0, 0]);
    const path = await serve((socket, heard) => socket.write(heard.includes("BEGIN") ? huge : signedIn));
    expect(await openBus([path], never())).toMatchObject({ ok: false, error: { kind: "lost" } });
  });

  test("that says nothing is given up when the caller gives up, and the socket is closed", async () => {
    const path = await serve(() => {});
    const giveUp = new AbortController();
    const opening = openBus([path], giveUp.signal);
    setImmediate(() => giveUp.abort());
    expect(await opening).toMatchObject({ ok: false });
    for (const socket of sockets) if (!socket.closed) await new Promise((closed) => socket.once("close", closed));
  });

  test("does not keep the next address from being tried", async () => {
    const path = await serve((socket) => socket.end());
    expect(await openBus([join(folder, "absent"), path], never())).toMatchObject({
      ok: false,
      error: { kind: "lost" },
    });
    expect(sockets).toHaveLength(1);
  });

  test("without any address is unavailable", async () => {
    expect(await openBus([], never())).toMatchObject({ ok: false, error: { kind: "unavailable" } });
  });
});

test("whoever asks often with one signal collects no listeners on it", async () => {
  const giveUp = new AbortController();
  const path = await serve((socket) => socket.end());
  for (let time = 0; time < 5; time += 1) await openBus([join(folder, "nobody"), path], giveUp.signal);
  expect(getEventListeners(giveUp.signal, "abort")).toEqual([]);
});
