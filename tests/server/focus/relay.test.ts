import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { startRelay } from "../../../src/server/focus/relay.ts";
import { type Clock, systemClock } from "../../../src/shared/clock.ts";
import { closeCodes } from "../../../src/shared/close-codes.ts";
import { encode, protocols } from "../../../src/shared/protocol.ts";
import { readDescriptor, unixPath } from "../../../src/shared/rendezvous.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { openClient, terminalHello } from "../../flow/relay/client.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();

const start = (folders: readonly string[], lines: string[] = [], clock: Clock = systemClock) =>
  startRelay({
    clock,
    log: (line) => lines.push(line),
    folders,
    line: "v1",
    directories: () => [],
    maxTerminals: () => 8,
    store: createPresenceStore({ clock: systemClock, maxTerminals: () => 8, onPresence: () => {} }),
    observer: () => undefined,
  });

function announcedIn(path: string) {
  const name = readdirSync(path).find((file) => file.endsWith(".json")) ?? "";
  const read = readDescriptor(readFileSync(join(path, name), "utf8"));
  return read.ok ? read.value : expect.fail("nothing is announced");
}

test("the start it announces moves with a wall clock that is set, not with its small corrections", async () => {
  const path = join(folder(), "relays");
  let setBy = 0;
  const clock = { ...systemClock, wall: () => Date.now() + setBy };
  const relay = await start([path], [], clock);
  if (!relay.ok) throw new Error(relay.error.detail);
  const { startedAt } = announcedIn(path);
  setBy = 1_000;
  await relay.value.announceAgain();
  expect(announcedIn(path).startedAt).toBe(startedAt);
  setBy = 3_600_000;
  await relay.value.announceAgain();
  expect(announcedIn(path).startedAt).toBeGreaterThan(startedAt + 3_500_000);
  await relay.value.close();
});

test("sixteen command lines at a time; the next one gets in when one has left", async () => {
  const path = join(folder(), "relays");
  const relay = await start([path]);
  if (!relay.ok) throw new Error(relay.error.detail);
  const { url, token } = announcedIn(path);
  const sockets: WebSocket[] = [];
  /** The first thing a new command line hears, or the code it is turned away with. */
  const comes = () =>
    new Promise<string | number>((resolve) => {
      const socket = new WebSocket(url);
      sockets.push(socket);
      socket.on("open", () =>
        socket.send(encode({ type: "hello", role: "observer", protocols: [...protocols], token })),
      );
      socket.on("message", (data) => resolve(JSON.parse(String(data)).type));
      socket.on("close", resolve);
    });
  for (let number = 0; number < 16; number += 1) expect(await comes()).toBe("welcome");
  expect(await comes()).toBe(closeCodes.full);
  sockets[0]?.close();
  await waitUntil("a free place", async () => (await comes()) === "welcome");
  await relay.value.close();
});

test("a reason to refuse is told once, however often it comes", async () => {
  const lines: string[] = [];
  const relay = await start([join(folder(), "relays")], lines);
  if (!relay.ok) throw new Error(relay.error.detail);
  for (let time = 0; time < 3; time += 1)
    await new Promise((ended) => {
      new WebSocket(relay.value.url(), { origin: "https://example.org" }).on("error", () => {}).on("close", ended);
    });
  await relay.value.close();
  expect(lines.filter((line) => line.startsWith("relay: refused"))).toHaveLength(1);
});

test("a relay nobody could find is none", async () => {
  expect(await start([], [])).toMatchObject({ ok: false, error: { kind: "not-announced" } });
});

describe.runIf(process.getuid !== undefined)("a relay at a unix socket", () => {
  async function started(folders: string[]) {
    const clock = createHandCrankedClock();
    const relay = await start(folders, [], { ...systemClock, after: clock.after });
    if (!relay.ok) throw new Error(relay.error.detail);
    onTestFinished(() => relay.value.close());
    return { relay: relay.value, clock };
  }
  const terminal = (url: string, token: string) => {
    const client = openClient(url);
    client.send(terminalHello(token));
    return client;
  };

  test("whose folder was taken away listens at another one and says so there; who was connected still is", async () => {
    const base = folder();
    const [login, state] = [join(base, "login"), join(base, "state")];
    const { relay, clock } = await started([join(login, "relays"), join(state, "relays")]);
    const before = announcedIn(join(state, "relays"));
    expect(before.url).toContain(login);
    const early = terminal(before.url, before.token);
    await early.take("welcome");
    rmSync(login, { recursive: true });
    writeFileSync(login, "as after a logout: nothing can be made here");
    clock.advance(30_000);
    await waitUntil("another address", () => announcedIn(join(state, "relays")).url !== before.url);
    const after = announcedIn(join(state, "relays"));
    expect(after).toMatchObject({ url: relay.url(), token: before.token });
    expect(after.url).toContain(state);
    expect(relay.has("terminal-a")).toBe(true);
    early.send({ type: "bye" });
    expect(await early.closed).toMatchObject({ code: 1000 });
    const late = terminal(after.url, after.token);
    await late.take("welcome");
    late.socket.terminate();
  });

  test("whose socket alone was taken away is back at another one in the same folder", async () => {
    const path = join(folder(), "relays");
    const { clock } = await started([path]);
    const { url } = announcedIn(path);
    rmSync(unixPath(url) ?? "");
    clock.advance(30_000);
    await waitUntil("another address", () => announcedIn(path).url !== url);
    expect(readdirSync(path).filter((name) => name.endsWith(".sock"))).toHaveLength(1);
  });

  test("looks no more once it is closed, and leaves nothing behind", async () => {
    const path = join(folder(), "relays");
    const { relay, clock } = await started([path]);
    await relay.close();
    clock.advance(120_000);
    expect(readdirSync(path)).toEqual([]);
    expect(clock.waiting()).toBe(0);
  });
});
