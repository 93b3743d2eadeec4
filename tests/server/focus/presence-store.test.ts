import { expect, test } from "vitest";
import type { Presence } from "../../../src/server/focus/presence.ts";
import { createPresenceStore } from "../../../src/server/focus/presence-store.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

function setUp(maxTerminals = 2) {
  const clock = createHandCrankedClock();
  const told: Presence[] = [];
  const store = createPresenceStore({
    clock,
    maxTerminals: () => maxTerminals,
    onPresence: (presence) => told.push(presence),
  });
  const heard = (id: string, seq = 1, focus: "focused" | "blurred" = "focused") => ({
    id,
    name: id,
    seq,
    report: { focus, view: { type: "home" as const }, idleMs: 0 },
  });
  const ids = () => [...store.presence().keys()];
  return { clock, told, store, heard, ids };
}

test("what is new is told, what is old is not", () => {
  const { store, heard, told } = setUp();
  store.report(heard("t1", 5));
  store.report(heard("t1", 4, "blurred"));
  expect(told).toHaveLength(1);
  expect(store.presence().get("t1")?.report.focus).toBe("focused");
});

test("a fresh connection starts its own count", () => {
  const { store, heard, told } = setUp();
  store.report(heard("t1", 5));
  store.report(heard("t1", 1, "blurred"), "fresh");
  expect(store.presence().get("t1")?.report.focus).toBe("blurred");
  expect(told).toHaveLength(2);
});

test("a terminal beyond the limit is not known; a known one goes on", () => {
  const { store, heard, ids } = setUp(2);
  store.report(heard("t1"));
  store.report(heard("t2"));
  expect(store.report(heard("t3"))).toBe(false);
  expect(store.report(heard("t1", 2))).toBe(true);
  expect(ids()).toEqual(["t1", "t2"]);
});

test("one that was silent for 30 s gives its place to another", () => {
  const { store, heard, ids, clock } = setUp(2);
  store.report(heard("t1"));
  clock.advance(20_000);
  store.report(heard("t2"));
  clock.advance(10_000);
  expect(store.report(heard("t3"))).toBe(true);
  expect(ids()).toEqual(["t2", "t3"]);
});

test("forgetting somebody unknown is no news", () => {
  const { store, heard, told } = setUp();
  store.report(heard("t1"));
  store.forget("t2");
  expect(told).toHaveLength(1);
  store.forget("t1");
  expect(told.at(-1)?.size).toBe(0);
});
