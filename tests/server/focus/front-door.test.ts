import { once } from "node:events";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type FrontDoor, openFrontDoor } from "../../../src/server/focus/front-door.ts";
import { spareSocketFolder, unixPath } from "../../../src/shared/rendezvous.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
const doors: FrontDoor[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const door of doors.splice(0)) door.close();
});

async function open(folders: readonly string[], onlyTCP = false) {
  const door = await openFrontDoor({ folders, onlyTCP, accept: (socket) => sockets.push(socket.resume()) });
  if (!door.ok) throw new Error(door.error.detail);
  doors.push(door.value);
  return door.value;
}
const socketOf = (door: FrontDoor) => unixPath(door.url) ?? expect.fail(`${door.url} is no unix socket`);
const mode = (path: string) => lstatSync(path).mode & 0o777;

function made(path: string, make: (path: string) => void): string {
  make(path);
  return path;
}

async function knock(door: FrontDoor): Promise<void> {
  const path = unixPath(door.url);
  const before = sockets.length;
  const socket = path === undefined ? connect(Number(new URL(door.url).port), "127.0.0.1") : connect(path);
  await once(socket, "connect");
  await waitUntil("the knock", () => sockets.length > before);
  socket.destroy();
}

describe.runIf(process.getuid !== undefined)("where unix sockets are", () => {
  test("the door is a socket only its owner can reach, in the first folder of ours", async () => {
    const relays = join(folder(), "relays");
    const door = await open([relays, join(folder(), "other")]);
    const path = socketOf(door);
    expect(dirname(path)).toBe(relays);
    expect([mode(relays), mode(path)]).toEqual([0o700, 0o600]);
    expect(lstatSync(path).isSocket()).toBe(true);
    await knock(door);
  });

  test("a folder others could reach is closed to them before a socket is in it", async () => {
    const relays = folder();
    chmodSync(relays, 0o777);
    await open([relays]);
    expect(mode(relays)).toBe(0o700);
  });

  test.each<[string, (base: string) => string]>([
    ["is too long to be named", (base) => join(base, "x".repeat(100))],
    ["has a blank", (base) => join(base, "a b")],
    ["has a sign an address cannot have", (base) => join(base, "a:b")],
    ["is a link", (base) => made(join(base, "link"), (path) => symlinkSync(base, path))],
    ["is a file", (base) => made(join(base, "file"), (path) => writeFileSync(path, ""))],
  ])("the next folder is taken when the path of one %s", async (_what, make) => {
    const good = join(folder(), "good");
    expect(dirname(socketOf(await open([make(folder()), good])))).toBe(good);
  });

  test("where no folder serves, it is one below /tmp that is ours alone", async () => {
    const path = socketOf(await open([]));
    expect(dirname(path)).toBe(spareSocketFolder(process.getuid?.() ?? 0));
    expect([mode(dirname(path)), mode(path)]).toEqual([0o700, 0o600]);
  });

  test("it knows when its file is gone, or another one", async () => {
    const door = await open([folder()]);
    const path = socketOf(door);
    expect(await door.isThere()).toBe(true);
    rmSync(path);
    expect(await door.isThere()).toBe(false);
    mkdirSync(path);
    expect(await door.isThere()).toBe(false);
    rmSync(path, { recursive: true });
  });

  test("closed, it takes its file along and nothing else, and whoever is in stays in", async () => {
    const relays = folder();
    const [door, other] = [await open([relays]), await open([relays])];
    const client = connect(socketOf(door));
    await waitUntil("the client", () => sockets.length === 1);
    door.close();
    expect(readdirSync(relays).map((name) => join(relays, name))).toEqual([socketOf(other)]);
    sockets[0]?.write("still here");
    expect(String((await once(client, "data"))[0])).toBe("still here");
    client.destroy();
    await expect(once(connect(socketOf(door)), "connect")).rejects.toThrow();
  });
});

test("a port on loopback is taken where it is asked for, and the door says why it is one", async () => {
  const relays = folder();
  const door = await open([relays], true);
  expect(door).toMatchObject({
    url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/focus$/),
    whyTCP: expect.any(String),
  });
  expect(readdirSync(relays)).toEqual([]);
  await knock(door);
});
