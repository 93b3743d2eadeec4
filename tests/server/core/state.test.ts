import { describe, expect, test } from "vitest";
import { beginning } from "../../../src/server/core/environment.ts";
import { addNewest, newState } from "../../../src/server/core/state.ts";
import { english } from "../../../src/server/core/wording/en.ts";
import { configWith } from "../../fakes/config.ts";

describe("the newest ids", () => {
  test("so many are remembered, the oldest beyond are forgotten", () => {
    const ids = new Set<string>();
    for (const id of ["a", "b", "c", "d"]) addNewest(ids, id, 3);
    expect([...ids]).toEqual(["b", "c", "d"]);
  });

  test("one that is there already takes no room", () => {
    const ids = new Set<string>();
    for (const id of ["a", "b", "b", "b"]) addNewest(ids, id, 2);
    expect([...ids]).toEqual(["a", "b"]);
  });
});

describe("the plugin's start", () => {
  const hour = 3_600_000;
  const began = 1_000 * hour;
  const at = (now: number, wall: number, startedAt = began) =>
    beginning({
      state: newState({ now: 0, wall: began }, startedAt),
      env: {
        ...{ now, wall, config: configWith(), wording: english, presence: new Map(), mutedUntil: undefined },
        can: { askScreen: false, answer: false, goTo: false, detach: false },
      },
      effects: [],
      ending: false,
      heard: 0,
    });

  test("stays when it was while time passes, and while the machine sleeps", () => {
    expect(at(hour, began + 9 * hour)).toBe(began);
  });

  test("goes along with a wall clock that is set back, and back again", () => {
    expect(at(0, began - hour)).toBe(began - hour);
    expect(at(hour, began + hour)).toBe(began);
  });

  test("is now where it would lie ahead, since the clock was set back before", () => {
    expect(at(0, began, began + hour)).toBe(began);
  });
});
