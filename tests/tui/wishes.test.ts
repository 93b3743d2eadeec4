import { expect, test } from "vitest";
import { createWishes } from "../../src/tui/wishes.ts";

function setUp(isRaised: boolean) {
  const seen: string[] = [];
  const wish = createWishes({
    host: {
      navigate: (sessionID) => seen.push(`shows ${sessionID}`),
      toast: (message, title) => seen.push(`toast ${title}: ${message}`),
    },
    alerts: { raise: async () => true, takeBack: () => false },
    bringForward: async () => isRaised,
  });
  return { wish, seen };
}

test("a click shows the session; only where its window could not be raised a toast says so", async () => {
  const raised = setUp(true);
  expect(await raised.wish({ type: "navigate", sessionID: "S" })).toBe(true);
  expect(raised.seen).toEqual(["shows S"]);
  const behind = setUp(false);
  expect(await behind.wish({ type: "navigate", sessionID: "S" })).toBe(true);
  expect(behind.seen).toEqual(["shows S", "toast undefined: beckon: you were called to this session"]);
});
