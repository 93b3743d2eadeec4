import { expect, test } from "vitest";
import { createTerminalNotices } from "../../../src/server/runtime/terminal-notices.ts";
import { isHarmless } from "../../contract/hostile-texts.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

function setUp(...attached: string[]) {
  const terminals = new Set(attached);
  const toasts: string[] = [];
  const clock = createHandCrankedClock();
  const notices = createTerminalNotices({
    clock,
    attached: () => terminals,
    toast: (terminalID, message, title) => toasts.push(`${terminalID} ${title}: ${message}`),
  });
  return { terminals, toasts, notices, clock };
}

test("every attached terminal shows it once", () => {
  const { toasts, notices } = setUp("one", "two");
  notices.tell("changed");
  notices.presenceChanged();
  expect(toasts).toEqual(["one beckon: changed", "two beckon: changed"]);
});

test("with nobody there it waits for the first terminal, and is told then, once", () => {
  const { toasts, notices, terminals, clock } = setUp();
  for (let at = 1; at <= 7; at += 1) notices.tell(`changed ${at}`);
  notices.presenceChanged();
  clock.advance(0);
  expect(toasts).toEqual([]);
  terminals.add("one");
  notices.presenceChanged();
  notices.presenceChanged();
  clock.advance(0);
  expect(toasts).toEqual([3, 4, 5, 6, 7].map((at) => `one beckon: changed ${at}`));
  notices.presenceChanged();
  clock.advance(0);
  expect(toasts).toHaveLength(5);
});

test("what it says fits into a frame and acts on nothing", () => {
  const { toasts, notices } = setUp("one");
  notices.tell(`\u001b]0;x\u0007${"e\u0301".repeat(5_000)}`);
  expect(toasts[0]?.length).toBeLessThanOrEqual(600 + "one beckon: ".length);
  expect(isHarmless(toasts[0] ?? ""), JSON.stringify(toasts)).toBe(true);
});
