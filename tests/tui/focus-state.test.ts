import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FocusState, firstState, type Happening, isTurn, nextState, reportOf } from "../../src/tui/focus-state.ts";

const start = { now: 0, wall: 1_000_000 };
const later = (ms: number) => ({ now: start.now + ms, wall: start.wall + ms });
const session = (sessionID: string): Happening => ({ type: "view", view: { type: "session", sessionID } });
const having = (...happenings: (Happening | Happening["type"])[]): FocusState =>
  happenings.reduce<FocusState>(
    (state, happening) => nextState(state, typeof happening === "string" ? simple(happening) : happening, start),
    firstState(start),
  );
function simple(type: Happening["type"]): Happening {
  if (type === "view") throw new Error("a view has more to say");
  return { type };
}

describe("what a terminal knows of its focus", () => {
  test.each<[string, Happening["type"][], FocusState["focus"]]>([
    ["nothing at first", [], "unknown"],
    ["what the terminal says", ["focus"], "focused"],
    ["what it says last", ["focus", "blur"], "blurred"],
    ["nothing from a key, where the terminal never reported focus", ["key", "life", "key"], "unknown"],
    ["that a key after a blur means it has the focus again", ["focus", "blur", "key"], "focused"],
    ["nothing from a mouse over a blurred window", ["focus", "blur", "life"], "blurred"],
    ["that whoever is known to be away is not there", ["focus", "away"], "blurred"],
    ["nothing from that, where the terminal never reported focus", ["away", "key"], "unknown"],
    ["nothing once it is not to tell any more", ["focus", "deaf"], "unknown"],
    ["nothing while a shell or an editor is in front", ["focus", "suspend"], "unknown"],
    ["nothing yet when that gives it back", ["focus", "suspend", "resume"], "unknown"],
    ["what a key proves then", ["focus", "suspend", "resume", "key"], "focused"],
  ])("is %s", (_what, happenings, focus) => {
    expect(having(...happenings).focus).toBe(focus);
  });
});

describe("a report", () => {
  test("tells what is on screen, and nothing of it while suspended", () => {
    const shown = having(session("ses_a"));
    expect(reportOf(shown, start).view).toEqual({ type: "session", sessionID: "ses_a" });
    const suspended = nextState(shown, { type: "suspend" }, start);
    expect(reportOf(suspended, start).view).toEqual({ type: "other" });
    expect(reportOf(nextState(suspended, { type: "resume" }, start), start).view).toMatchObject({ sessionID: "ses_a" });
  });

  test("tells the time since the last sign of life, by the clock that says more", () => {
    const state = having("focus");
    expect(reportOf(state, later(4_200)).idleMs).toBe(4_200);
    expect(reportOf(state, { now: 10, wall: start.wall + 3_600_000 }).idleMs).toBe(3_600_000);
    expect(reportOf(state, { now: 5_000, wall: 0 }).idleMs).toBe(5_000);
  });

  test.each<[Happening["type"] | "view", boolean]>([
    ["focus", true],
    ["key", true],
    ["life", true],
    ["resume", true],
    ["view", true],
    ["blur", false],
    ["suspend", false],
  ])("%s is a sign of life: %s", (type, isLife) => {
    const state = nextState(having("focus"), type === "view" ? session("ses_b") : simple(type), later(9_000));
    expect(reportOf(state, later(9_000)).idleMs).toBe(isLife ? 0 : 9_000);
  });
});

test("a session whose root is learned, or forgotten, is no sign of life: nobody stirred", () => {
  const shows = (rootID?: string): Happening => ({
    type: "view",
    view: { type: "session", sessionID: "ses_a", rootID },
  });
  const states = ["ses_r", undefined].reduce(
    (state, rootID) => nextState(state, shows(rootID), later(9_000)),
    having("focus", shows()),
  );
  expect(reportOf(states, later(9_000)).idleMs).toBe(9_000);
});

describe("a turn", () => {
  test("is a change of focus or of what is shown, never a mere sign of life", () => {
    const state = having("focus", session("ses_a"));
    const turns = (happening: Happening) => isTurn(state, nextState(state, happening, later(1)));
    expect(turns({ type: "key" })).toBe(false);
    expect(turns({ type: "life" })).toBe(false);
    expect(turns(session("ses_a"))).toBe(false);
    expect(turns({ type: "blur" })).toBe(true);
    expect(turns({ type: "suspend" })).toBe(true);
    expect(turns(session("ses_b"))).toBe(true);
    expect(turns({ type: "view", view: { type: "session", sessionID: "ses_a", rootID: "ses_r" } })).toBe(true);
  });
});

test("focused is only ever claimed after the terminal itself reported, since the last blur or suspension", () => {
  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc.record({ type: fc.constantFrom("focus", "blur", "away", "deaf", "key", "life", "suspend", "resume") }),
    fc.constantFrom("ses_a", "ses_b").map(session),
  );
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 20 }), (all) => {
      const state = all.reduce((before, one) => nextState(before, one, start), firstState(start));
      if (state.focus !== "focused") return true;
      const types = all.map(({ type }) => type);
      const proof = Math.max(types.lastIndexOf("focus"), types.lastIndexOf("key"));
      const reported = types.slice(0, proof + 1).some((type) => type === "focus" || type === "blur");
      return (
        reported &&
        proof > types.lastIndexOf("blur") &&
        proof > types.lastIndexOf("away") &&
        proof > types.lastIndexOf("deaf") &&
        proof > types.lastIndexOf("suspend")
      );
    }),
    { numRuns: 2_000 },
  );
});
