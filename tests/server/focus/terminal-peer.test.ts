import { expect, test } from "vitest";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { createTerminalPeer } from "../../../src/server/focus/terminal-peer.ts";
import { encode } from "../../../src/shared/protocol.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

const report = { focus: "focused" as const, view: { type: "home" as const }, idleMs: 0 };

function setUp() {
  const clock = createHandCrankedClock();
  const ended: string[] = [];
  const store = createPresenceStore({ clock, maxTerminals: () => 8, onPresence: () => {} });
  const peer = createTerminalPeer({
    clock,
    store,
    line: { send: () => {}, end: (reason) => ended.push(reason) },
    hello: { type: "hello", role: "terminal", protocols: [1], token: "", id: "t", name: "t", seq: 1, report },
  });
  return { clock, ended, store, peer };
}

test("a terminal that beats keeps its place; one that is silent for a minute gives it up", () => {
  const { clock, ended, peer } = setUp();
  for (let seq = 2; seq < 30; seq += 1) {
    clock.advance(10_000);
    peer.receive(encode({ type: "report", seq, report }));
  }
  expect(ended).toEqual([]);
  clock.advance(60_000);
  expect(ended).toEqual(["silent"]);
});

test("what a terminal can may be told late, and counts until it is told anew", () => {
  const { store, peer } = setUp();
  const known = () => store.presence().get("t")?.abilities;
  const abilities = { notify: ["osc99"], ssh: true };
  peer.receive(encode({ type: "report", seq: 2, report }));
  expect(known()).toBeUndefined();
  peer.receive(encode({ type: "report", seq: 3, report, abilities }));
  expect(known()).toEqual(abilities);
  peer.receive(encode({ type: "report", seq: 4, report }));
  expect(known()).toEqual(abilities);
});

test("a terminal that is gone is forgotten, and no timer waits for it", () => {
  const { clock, store, peer } = setUp();
  peer.receive(encode({ type: "report", seq: 2, report }));
  expect(store.presence().size).toBe(1);
  peer.gone();
  expect(store.presence().size).toBe(0);
  expect(clock.waiting()).toBe(0);
});
