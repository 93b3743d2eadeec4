import { expect, test } from "vitest";
import {
  type Asks,
  closeWindow,
  isOpen,
  noAsks,
  settlingAsks,
  toldAsks,
  windowOpen,
  withAsk,
  withoutAsk,
} from "../../../src/server/session/asks.ts";
import type { Ask } from "../../../src/server/core/event.ts";

const ask = (requestID: string): Ask => ({ requestID, about: "permission", count: 1 });
const ids = (asks: Asks) => asks.map(({ requestID }) => requestID);

const two = withAsk(withAsk(noAsks, ask("p1"), "settling", 1), ask("p2"), "settling", 2);

test("an ask is open until it is taken away", () => {
  expect(isOpen(two, "p1")).toBe(true);
  expect(isOpen(withoutAsk(two, "p1"), "p1")).toBe(false);
  expect(ids(withoutAsk(two, "p1"))).toEqual(["p2"]);
});

test("taking an unknown ask away changes nothing", () => {
  expect(withoutAsk(two, "p9")).toEqual(two);
});

test("the end of a window tells all of its asks, oldest first, and none twice", () => {
  const first = closeWindow(two);
  expect(ids(first.due)).toEqual(["p1", "p2"]);
  expect(ids(toldAsks(first.asks))).toEqual(["p1", "p2"]);
  expect(closeWindow(first.asks).due).toEqual([]);
});

test("an ask that comes later opens a window of its own", () => {
  const later = withAsk(closeWindow(two).asks, ask("p3"), "settling", 3);
  expect(windowOpen(closeWindow(two).asks)).toBe(false);
  expect(windowOpen(later)).toBe(true);
  expect(ids(closeWindow(later).due)).toEqual(["p3"]);
});

test("an ask from before the plugin's start opens no window and is never told", () => {
  const known = withAsk(noAsks, ask("p0"), "known", 0);
  expect(windowOpen(known)).toBe(false);
  expect(closeWindow(known).due).toEqual([]);
  expect(ids(settlingAsks(known))).toEqual([]);
});
