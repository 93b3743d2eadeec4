import { describe, expect, test } from "vitest";
import type { Observer } from "../../../src/server/focus/observer-peer.ts";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { createRpcReports } from "../../../src/server/focus/rpc-reports.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

function setUp(observer?: Observer) {
  const clock = createHandCrankedClock();
  const store = createPresenceStore({ clock, maxTerminals: () => 2, onPresence: () => {} });
  const sockets = new Set<string>();
  const relay = { id: "relay-1", has: (terminalID: string) => sockets.has(terminalID) };
  const calls = createRpcReports({ clock, store, observer: () => observer, relay: () => relay });
  const wishes: unknown[] = [];
  const disconnect = calls.connect(async (event, data) => void wishes.push([event, data]));
  const report = (viewer: string, seq: number, focus = "focused") =>
    calls.handlers.report({
      viewer,
      name: "a terminal",
      seq,
      report: { focus, view: { type: "home" }, idleMs: 0 },
      newer: true,
    });
  return { clock, store, calls, sockets, wishes, disconnect, report };
}
const alert = { key: "k", title: "Title", body: "Body", urgency: "normal" as const };

describe("a report by plugin call", () => {
  test("counts like one by socket, and the answer names the relay of this process", async () => {
    const { store, report } = setUp();
    expect(await report("v1", 1)).toEqual({ ok: true, relay: "relay-1" });
    expect(store.presence().get("v1")).toMatchObject({ name: "a terminal", seq: 1, report: { focus: "focused" } });
    await report("v1", 3, "blurred");
    await report("v1", 2);
    expect(store.presence().get("v1")?.report.focus).toBe("blurred");
  });

  test.each([undefined, {}, { viewer: "v1" }, { viewer: "v1", name: "n", seq: 1, report: { focus: "yes" } }, "report"])(
    "that is %j is answered and changes nothing",
    async (input) => {
      const { store, calls } = setUp();
      expect(await calls.handlers.report(input)).toMatchObject({ ok: false });
      expect(store.presence().size).toBe(0);
    },
  );

  test("of one terminal too many is refused", async () => {
    const { report } = setUp();
    await report("v1", 1);
    await report("v2", 1);
    expect(await report("v3", 1)).toMatchObject({ ok: false });
  });

  test("ends with a goodbye", async () => {
    const { store, calls, report } = setUp();
    await report("v1", 1);
    expect(await calls.handlers.gone({ viewer: "v1" })).toMatchObject({ ok: true });
    expect(store.presence().size).toBe(0);
  });

  test("ends with no late goodbye of an earlier load, where the terminal has a socket by now", async () => {
    const { store, calls, sockets, report } = setUp();
    await report("v1", 1);
    sockets.add("v1");
    await calls.handlers.gone({ viewer: "v1" });
    expect(store.presence().has("v1")).toBe(true);
  });

  test("does not let a stranger say goodbye for a terminal that has a socket", async () => {
    const { store, calls } = setUp();
    store.report({ id: "socket", name: "n", seq: 1, report: { focus: "focused", view: { type: "home" }, idleMs: 0 } });
    await calls.handlers.gone({ viewer: "socket" });
    expect(store.presence().has("socket")).toBe(true);
  });
});

describe("a wish to a terminal that reports by plugin call", () => {
  test("goes out as an event and is answered by a call", async () => {
    const { calls, wishes, report } = setUp();
    await report("v1", 1);
    const raised = calls.raise("v1", alert);
    expect(wishes).toEqual([["wish", { viewer: "v1", frame: { type: "raise", request: 1, alert } }]]);
    await calls.handlers.raised({ viewer: "v1", request: 1, ok: true });
    expect(await raised).toBe(true);
  });

  test("counts as not done when nobody answers, when the terminal leaves and when it was never there", async () => {
    const { calls, clock, report } = setUp();
    await report("v1", 1);
    const unheard = calls.raise("v1", alert);
    clock.advance(2_000);
    expect(await unheard).toBe(false);
    const left = calls.raise("v1", alert);
    await calls.handlers.gone({ viewer: "v1" });
    expect(await left).toBe(false);
    expect(await calls.raise("nobody", alert)).toBe(false);
  });

  test("goes through an instance that is still there", async () => {
    const { calls, wishes, disconnect, report } = setUp();
    const other: unknown[] = [];
    const end = calls.connect(async (event) => void other.push(event));
    await report("v1", 1);
    calls.send("v1", { type: "navigate", sessionID: "ses_a" });
    end();
    calls.send("v1", { type: "navigate", sessionID: "ses_a" });
    disconnect();
    calls.send("v1", { type: "navigate", sessionID: "ses_a" });
    expect([other.length, wishes.length]).toEqual([1, 1]);
  });

  test.each<[string, () => Promise<void>]>([
    ["in the end", () => Promise.reject(new Error("no"))],
    [
      "at once",
      () => {
        throw new Error("no");
      },
    ],
  ])("survives a host that refuses to send it %s", async (_when, emit) => {
    const { calls, clock, report } = setUp();
    calls.connect(emit);
    await report("v1", 1);
    const raised = calls.raise("v1", alert);
    clock.advance(2_000);
    expect(await raised).toBe(false);
  });
});

describe("a question by plugin call", () => {
  const observer: Observer = {
    status: () => ({ lines: ["fine"] }),
    mute: async (ms) => `muted ${ms}`,
    test: () => Promise.reject(new Error("no channel")),
  };

  test("is answered in words", async () => {
    const { calls } = setUp(observer);
    expect(await calls.handlers.ask({ ask: "status" })).toEqual({ ok: true, status: { lines: ["fine"] } });
    expect(await calls.handlers.ask({ ask: "mute", ms: 5 })).toEqual({ ok: true, text: "muted 5" });
    expect(await calls.handlers.ask({ ask: "test" })).toEqual({ ok: false, text: "no channel" });
    expect(await calls.handlers.ask({ ask: "delete" })).toEqual({ ok: false, text: "not understood" });
  });

  test("is answered where nobody can answer it", async () => {
    const { calls } = setUp();
    expect(await calls.handlers.ask({ ask: "test" })).toEqual({ ok: false, text: "not available here" });
    expect(await calls.handlers.ask({ ask: "status" })).toEqual({ ok: true, status: null });
  });
});
