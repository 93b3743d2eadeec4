import { describe, expect, test } from "vitest";
import {
  below,
  childrenRun,
  ensureSession,
  nextLossAt,
  placeBelow,
  removeSession,
  rootOf,
} from "../../../src/server/core/family.ts";
import { newRound } from "../../../src/server/core/round.ts";
import { newState, type Session, type State } from "../../../src/server/core/state.ts";

/** Sessions placed as told: child → parent, null = a root. */
function family(parents: Record<string, string | null>): State {
  const state = newState({ now: 0, wall: 0 });
  for (const [id, parentID] of Object.entries(parents)) placeBelow(state, ensureSession(state, id, 0), parentID);
  return state;
}
const idsBelow = (state: State, id: string) => [...below(state, id)].map((session) => session.id).toSorted();

test("a session is made once and remembered", () => {
  const state = family({});
  expect(ensureSession(state, "a", 5)).toBe(ensureSession(state, "a", 9));
  expect(state.sessions.get("a")).toMatchObject({ id: "a", heardAt: 5, turn: { phase: "resting" }, requests: [] });
  expect(state.sessions.size).toBe(1);
});

test("the root of a grandchild is at the top; a session of its own is its own root", () => {
  const state = family({ root: null, child: "root", grandchild: "child", other: null });
  expect(rootOf(state, "grandchild")).toBe("root");
  expect(rootOf(state, "other")).toBe("other");
  expect(rootOf(state, "unheard")).toBe("unheard");
  expect(idsBelow(state, "root")).toEqual(["child", "grandchild"]);
  expect(idsBelow(state, "grandchild")).toEqual([]);
});

test("a parent that was only named is the root until more is known", () => {
  const state = family({ child: "named" });
  expect(rootOf(state, "child")).toBe("named");
  expect(idsBelow(state, "named")).toEqual(["child"]);
});

test("parents in a ring end nowhere, but end", () => {
  const state = family({ a: "b", b: "a" });
  expect(["a", "b"]).toContain(rootOf(state, "a"));
  expect(idsBelow(state, "a")).toEqual(["b"]);
});

test("a session that gets another parent leaves the old one", () => {
  const state = family({ one: null, two: null, child: "one" });
  const child = ensureSession(state, "child", 0);
  placeBelow(state, child, "two");
  expect(idsBelow(state, "one")).toEqual([]);
  expect(idsBelow(state, "two")).toEqual(["child"]);
  placeBelow(state, child, null);
  expect(idsBelow(state, "two")).toEqual([]);
});

test("a session that is gone is gone for everybody; its children are not", () => {
  const state = family({ root: null, child: "root", grandchild: "child" });
  removeSession(state, ensureSession(state, "child", 0));
  expect(idsBelow(state, "root")).toEqual([]);
  expect(idsBelow(state, "child")).toEqual(["grandchild"]);
  expect(state.sessions.size).toBe(2);
});

describe("who runs below a session", () => {
  const halfAnHour = 30 * 60_000;
  const run = (session: Session): void => {
    session.turn = { phase: "running", round: newRound(0, undefined, false) };
  };

  test("not the session itself, be it busy", () => {
    const state = family({ root: null });
    run(ensureSession(state, "root", 0));
    expect(childrenRun(state, "root", 0)).toBe(false);
    expect(childrenRun(state, "unheard of", 0)).toBe(false);
  });

  test("a child while it works or is launched, however deep it is", () => {
    const state = family({ root: null, child: "root", grandchild: "child" });
    const grandchild = ensureSession(state, "grandchild", 0);
    expect(childrenRun(state, "root", 0)).toBe(false);
    run(grandchild);
    expect(childrenRun(state, "root", 0)).toBe(true);
    grandchild.turn = { phase: "resting" };
    grandchild.launched = true;
    expect(childrenRun(state, "root", 0)).toBe(true);
    expect(childrenRun(state, "grandchild", 0)).toBe(false);
  });

  test("not a child nobody hears of for half an hour; the next to be lost is the one not heard of for longest", () => {
    const state = family({ root: null, first: "root", second: "root" });
    for (const [id, heardAt] of [
      ["first", 0],
      ["second", 1_000],
    ] as const) {
      const child = ensureSession(state, id, 0);
      child.heardAt = heardAt;
      run(child);
    }
    expect(nextLossAt(state, "root", 5_000)).toBe(halfAnHour);
    expect(childrenRun(state, "root", halfAnHour)).toBe(true);
    expect(nextLossAt(state, "root", halfAnHour)).toBe(halfAnHour + 1_000);
    expect(childrenRun(state, "root", halfAnHour + 1_000)).toBe(false);
    expect(nextLossAt(state, "root", halfAnHour + 1_000)).toBeUndefined();
  });
});
