import { describe, expect, test } from "vitest";
import {
  attendance,
  chooseTerminals,
  isLastUsedBySsh,
  type Presence,
  type Terminal,
  withReport,
} from "../../../src/server/focus/presence.ts";

const at = { now: 100_000, wall: 5_000_000 };
const terminal = (id: string, more: Partial<Terminal["report"]> = {}, rest: Partial<Terminal> = {}): Terminal => ({
  id,
  name: `name of ${id}`,
  seq: 1,
  report: { focus: "focused", view: { type: "session", sessionID: "ses_a" }, idleMs: 0, ...more },
  reportedAt: at,
  ...rest,
});
const presenceOf = (...terminals: Terminal[]): Presence =>
  terminals.reduce(withReport, new Map<string, Terminal>() as Presence);
const looksAt = (presence: Presence, sessionID: string, when = at) =>
  attendance(presence, { matches: (id) => id === sessionID, idleSeconds: 600 }, when)?.by;

describe("somebody looks at a session", () => {
  test("when a focused terminal shows it", () => {
    expect(looksAt(presenceOf(terminal("t1")), "ses_a")).toBe("name of t1");
  });

  test("when one of two terminals showing it is focused", () => {
    expect(looksAt(presenceOf(terminal("t1", { focus: "blurred" }), terminal("t2")), "ses_a")).toBe("name of t2");
  });

  test.each<[string, Partial<Terminal["report"]>]>([
    ["the terminal is blurred", { focus: "blurred" }],
    ["the terminal never told its focus", { focus: "unknown" }],
    ["it shows another session", { view: { type: "session", sessionID: "ses_b" } }],
    ["it shows the start screen", { view: { type: "home" } }],
    ["it shows a plugin's screen", { view: { type: "other" } }],
    ["nobody touched it for ten minutes", { idleMs: 600_000 }],
  ])("but not when %s", (_when, report) => {
    expect(looksAt(presenceOf(terminal("t1", report)), "ses_a")).toBeUndefined();
  });

  test("but not when the terminal was not heard of for 30 s, or the machine slept", () => {
    const presence = presenceOf(terminal("t1"));
    expect(looksAt(presence, "ses_a", { now: at.now + 29_999, wall: at.wall + 29_999 })).toBe("name of t1");
    expect(looksAt(presence, "ses_a", { now: at.now + 30_000, wall: at.wall + 30_000 })).toBeUndefined();
    expect(looksAt(presence, "ses_a", { now: at.now + 1, wall: at.wall + 3_600_000 })).toBeUndefined();
  });

  test("still when the wall clock was set back", () => {
    expect(looksAt(presenceOf(terminal("t1")), "ses_a", { now: at.now + 1, wall: 0 })).toBe("name of t1");
  });
});

describe("the one terminal that may raise an alert", () => {
  const abilities = { notify: ["osc777"], ssh: true };
  const matches = (id: string) => id === "ses_a";

  test("is the one showing the session, else the one last used; one that cannot is left out", () => {
    const elsewhere = { view: { type: "home" as const } };
    const presence = presenceOf(
      terminal("cannot"),
      terminal("used", { ...elsewhere, idleMs: 10 }, { abilities }),
      terminal("unused", { ...elsewhere, idleMs: 9_000 }, { abilities }),
      terminal("shows", { focus: "blurred", idleMs: 60_000 }, { abilities }),
    );
    expect(chooseTerminals(presence, matches, at).map(({ id }) => id)).toEqual(["shows", "used", "unused"]);
  });

  test("is never one that is gone", () => {
    const presence = presenceOf(terminal("t1", {}, { abilities }));
    expect(chooseTerminals(presence, matches, { now: at.now + 30_000, wall: at.wall })).toEqual([]);
  });
});

describe("the person sits at another machine", () => {
  const reached = (ssh: boolean) => ({ abilities: { notify: ["osc99"], ssh } });
  const [near, far] = [reached(false), reached(true)];

  test("when the terminal they used last is reached by ssh", () => {
    const left = terminal("near", { idleMs: 60_000 }, near);
    expect(isLastUsedBySsh(presenceOf(left, terminal("far", { focus: "blurred", idleMs: 5_000 }, far)), at)).toBe(true);
  });

  test("but not when they have used one here since, or none is reached by ssh, or it is gone", () => {
    const left = terminal("far", { idleMs: 60_000 }, far);
    expect(isLastUsedBySsh(presenceOf(left, terminal("near", { focus: "blurred" }, near)), at)).toBe(false);
    expect(isLastUsedBySsh(presenceOf(terminal("near", {}, near)), at)).toBe(false);
    expect(isLastUsedBySsh(presenceOf(left), { now: at.now + 30_000, wall: at.wall })).toBe(false);
    expect(isLastUsedBySsh(presenceOf(), at)).toBe(false);
  });
});
