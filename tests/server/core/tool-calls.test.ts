import { expect, test } from "vitest";
import type { SessionEvent } from "../../../src/server/core/event.ts";
import { noteCall, type ToolCalls } from "../../../src/server/core/tool-calls.ts";

type ToolEvent = Parameters<typeof noteCall>[1];
const named = (tool: string): ToolEvent => ({ kind: "toolNamed", callID: "c1", tool });
const ended = (facts: Partial<Extract<SessionEvent, { kind: "toolEnded" }>> = {}): ToolEvent => ({
  kind: "toolEnded",
  callID: "c1",
  succeeded: true,
  ...facts,
});

const heard = (...events: ToolEvent[]) => {
  const calls: ToolCalls = new Map();
  return events.map((event) => noteCall(calls, event)).filter((done) => done !== undefined);
};

test("a call that names itself at its end succeeded once (1.18)", () => {
  expect(heard(ended({ tool: "bash" }))).toEqual([{ tool: "bash" }]);
});

test("a call told in three events succeeded once, under the name told first (2.x)", () => {
  expect(heard(named("bash"), { kind: "toolInput", callID: "c1", input: { command: "ls" } }, ended())).toEqual([
    { tool: "bash" },
  ]);
});

test("the same end told once more, by the hook or a repeat, is nothing", () => {
  expect(heard(named("bash"), ended(), ended({ tool: "bash" }), named("bash"), ended())).toHaveLength(1);
});

test("a call that failed is no work, and a late success of it neither", () => {
  expect(heard(named("bash"), ended({ succeeded: false }), ended())).toEqual([]);
});

test("a call nobody named still counts as one", () => {
  expect(heard(ended())).toEqual([{ tool: "unknown" }]);
});

test("only code mode's input is kept: commands and paths are nobody's business", () => {
  expect(heard(named("execute"), { kind: "toolInput", callID: "c1", input: { code: "x()" } }, ended())).toEqual([
    { tool: "execute", input: { code: "x()" } },
  ]);
  expect(heard(ended({ tool: "bash", input: { command: "curl -H token" } }))).toEqual([{ tool: "bash" }]);
});

test("calls do not mix", () => {
  const calls: ToolCalls = new Map();
  noteCall(calls, { kind: "toolNamed", callID: "a", tool: "read" });
  noteCall(calls, { kind: "toolNamed", callID: "b", tool: "edit" });
  expect(noteCall(calls, { kind: "toolEnded", callID: "b", succeeded: true })).toEqual({ tool: "edit" });
  expect(noteCall(calls, { kind: "toolEnded", callID: "a", succeeded: true })).toEqual({ tool: "read" });
});
