import { get } from "node:http";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type FrontDoor, openFrontDoor } from "../../../src/server/focus/front-door.ts";
import { maxFrameBytes, relayPath } from "../../../src/shared/protocol.ts";

const doors: FrontDoor[] = [];
const accepted: WebSocket[] = [];
afterEach(() => {
  for (const socket of accepted.splice(0)) socket.terminate();
  for (const door of doors.splice(0)) door.close();
});

async function open({ hasRoom = true, onText = (_: string) => {} } = {}) {
  const refused: string[] = [];
  const door = await openFrontDoor({
    maxSockets: () => 8,
    hasRoom: () => hasRoom,
    accept(socket) {
      accepted.push(socket);
      socket.on("error", () => {}); // `close` follows
      socket.on("message", (data) => onText(String(data)));
    },
    onRefused: ({ why }) => refused.push(why),
  });
  if (!door.ok) throw new Error(door.error.detail);
  doors.push(door.value);
  return { refused, address: `127.0.0.1:${door.value.port}${relayPath}`, close: door.value.close };
}

/** The status a plain request gets. */
const statusOf = (address: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(`http://${address}`, { agent: false }, (response) => resolve(response.resume().statusCode)).on("error", reject);
  });

/** What becomes of a websocket: the status it is refused with, or the code it is closed with. */
const endOf = (address: string, firstFrame = ""): Promise<number | undefined> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://${address}`);
    socket.on("unexpected-response", (_, response) => resolve(response.resume().statusCode));
    socket.on("error", () => {});
    socket.on("open", () => socket.send(firstFrame));
    socket.on("close", (code) => resolve(code));
  });

test("who wants no websocket is told that only those are served", async () => {
  const { address } = await open();
  expect(await statusOf(address)).toBe(426);
});

test("a websocket more than there is room for is refused, and that is said", async () => {
  const { address, refused } = await open({ hasRoom: false });
  expect(await endOf(address)).toBe(503);
  expect(refused).toEqual(["too many connections"]);
});

test("a frame longer than any of ours ends the connection unread", async () => {
  const heard: string[] = [];
  const { address } = await open({ onText: (text) => heard.push(text) });
  expect(await endOf(address, "x".repeat(maxFrameBytes + 1))).toBe(1009);
  expect(heard).toEqual([]);
});

test("a closed door takes no more", async () => {
  const { address, close } = await open();
  close();
  await expect(statusOf(address)).rejects.toThrow();
});
