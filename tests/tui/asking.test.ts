import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Observer } from "../../src/server/focus/observer-peer.ts";
import { createPresenceStore } from "../../src/server/focus/presence-store.ts";
import { type Relay, startRelay } from "../../src/server/focus/relay.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { silentLog } from "../../src/shared/log.ts";
import type { CallAsk } from "../../src/shared/plugin-call.ts";
import { createAsking } from "../../src/tui/asking.ts";
import { readFolders } from "../../src/tui/find-relays.ts";
import { openSocket } from "../../src/tui/open-socket.ts";
import type { PluginCalls } from "../../src/tui/plugin-calls.ts";
import type { RelayAddress } from "../../src/tui/relay-client.ts";
import { createHandCrankedClock } from "../fakes/hand-cranked-clock.ts";

let base: string;
const relays: Relay[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "beckon-asking-"));
});
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.close();
  rmSync(base, { recursive: true, force: true });
});

async function open(observer: Observer): Promise<void> {
  const store = createPresenceStore({ clock: systemClock, maxTerminals: () => 8, onPresence: () => {} });
  const started = await startRelay({
    clock: systemClock,
    log: silentLog,
    folders: [join(base, "relays")],
    line: "v1",
    directories: () => [],
    maxTerminals: () => 8,
    store,
    observer: () => observer,
  });
  if (started.ok) relays.push(started.value);
}
const asking = (addresses: readonly RelayAddress[], calls?: PluginCalls) =>
  createAsking({ clock: systemClock, openSocket, addresses: () => addresses, calls });
const dead: RelayAddress = { id: "dead", url: "ws://127.0.0.1:1/focus", token: "x" };

test("every server part that can be reached is asked, and one that cannot keeps nobody waiting", async () => {
  await open({ status: () => ({ lines: ["one"] }), mute: async (ms) => `muted for ${ms}` });
  await open({ status: () => ({ lines: ["two"] }) });
  const found = await readFolders([join(base, "relays")]);
  const { askAll } = asking([dead, ...found]);
  const statuses = (await askAll({ type: "status" })).map(({ status }) => JSON.stringify(status)).sort();
  expect(statuses).toEqual(['{"lines":["one"]}', '{"lines":["two"]}']);
  const mutes = (await askAll({ type: "mute", ms: 5 })).sort((a, b) => Number(b.ok) - Number(a.ok));
  expect(mutes).toEqual([
    { ok: true, text: "muted for 5" },
    { ok: false, text: "not available here" },
  ]);
});

test("one that takes the connection and says nothing, as a stopped process does, is given up before it is welcome", async () => {
  const clock = createHandCrankedClock();
  const did: string[] = [];
  const { askAll } = createAsking({
    clock,
    addresses: () => [dead],
    calls: undefined,
    async openSocket(_url, events) {
      setImmediate(events.onOpen);
      return { send: () => {}, close: () => {}, cut: () => did.push("cut") };
    },
  });
  const asked = askAll({ type: "status" });
  await new Promise(setImmediate);
  clock.advance(5_000);
  expect(await asked).toEqual([]);
  expect(did).toEqual(["cut"]);
  expect(clock.waiting()).toBe(0);
});

test("a test goes to the first that answers, and to no other", async () => {
  let tests = 0;
  const observer = { status: () => null, test: async () => `sent ${++tests}` };
  await open(observer);
  await open(observer);
  const found = await readFolders([join(base, "relays")]);
  expect(await asking([dead, ...found]).askOne({ type: "test" })).toEqual({ ok: true, text: "sent 1" });
  expect(tests).toBe(1);
});

test("without any relay the question goes through opencode, and without that it has no answer", async () => {
  const asked: CallAsk[] = [];
  const calls: PluginCalls = {
    report: async () => undefined,
    gone: async () => {},
    raised: async () => {},
    ask: async (ask) => {
      asked.push(ask);
      return { ok: true, text: "by call" };
    },
    onWish: () => () => {},
  };
  const { askAll, askOne } = asking([dead], calls);
  expect(await askAll({ type: "mute", ms: 60_000 })).toEqual([{ ok: true, text: "by call" }]);
  expect(await askOne({ type: "test" })).toEqual({ ok: true, text: "by call" });
  expect(asked).toEqual([{ ask: "mute", ms: 60_000 }, { ask: "test" }]);
  expect(await asking([]).askAll({ type: "status" })).toEqual([]);
  expect(await asking([dead]).askOne({ type: "status" })).toBeUndefined();
});
