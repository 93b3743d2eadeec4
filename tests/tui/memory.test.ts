import { expect, test } from "vitest";
import { recall } from "../../src/tui/memory.ts";

const at = { now: 1, wall: 2 };

test("a reloaded plugin goes on where it was; another terminal begins anew", () => {
  const home = {};
  const terminal = {};
  const memory = recall(home, terminal, () => "first", at);
  memory.seq = 7;
  memory.state = { ...memory.state, focus: "focused", reports: true };
  expect(recall(home, terminal, () => "second", at)).toBe(memory);
  expect(recall(home, {}, () => "second", at)).toMatchObject({ id: "second", seq: 0, state: { focus: "unknown" } });
});
