import fc from "fast-check";
import { expect, test } from "vitest";
import { translateHook } from "../../../../src/server/hosts/v2/hooks.ts";
import { withKeys } from "../../../fakes/foreign.ts";

const sessionID = "ses_S";

test("a prompt of the person is typed, one with a source is not", () => {
  expect(translateHook("session.prompt", { sessionID, messageID: "msg_1", prompt: "hi" })?.events).toEqual([
    { kind: "prompted", trigger: "typed", promptID: "msg_1" },
  ]);
  expect(translateHook("session.prompt", { sessionID, metadata: { source: "subagent" } })?.events).toEqual([
    { kind: "prompted", trigger: "synthetic" },
  ]);
});

test.each([
  [{ status: "completed" }, true],
  [{ status: "error" }, false],
  [{ result: { type: "text" } }, true],
  [{ result: { type: "error" } }, false],
  [{}, true],
])("a finished tool with %j succeeded: %s", (more, succeeded) => {
  const call = { sessionID, id: "c1", tool: "shell", input: { command: "ls" }, ...more };
  expect(translateHook("tool.execute.after", call)?.events).toEqual([
    { kind: "toolEnded", callID: "c1", succeeded, tool: "shell", input: { command: "ls" } },
  ]);
});

test.each([
  ["session.prompt", { messageID: "msg_1" }],
  ["tool.execute.after", { sessionID, id: "c1" }],
  ["tool.execute.after", { sessionID, tool: "shell" }],
  ["tool.execute.before", { sessionID, id: "c1", tool: "shell" }],
])("%s with %j is not for us", (hook, input) => {
  expect(translateHook(hook, input)).toBeUndefined();
});

test("whatever the host hands over, nothing is thrown at it", () => {
  const keys = ["sessionID", "messageID", "metadata", "source", "id", "callID", "tool", "status", "result", "type"];
  fc.assert(
    fc.property(fc.constantFrom("session.prompt", "tool.execute.after"), withKeys(keys), (name, input) => {
      translateHook(name, input);
      return true;
    }),
  );
});
