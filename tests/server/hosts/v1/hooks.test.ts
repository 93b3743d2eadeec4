import fc from "fast-check";
import { expect, test } from "vitest";
import { translateHook } from "../../../../src/server/hosts/v1/hooks.ts";
import { withKeys } from "../../../fakes/foreign.ts";

const sessionID = "ses_S";
const prompt = (parts: object[], more: object = {}) =>
  translateHook("chat.message", { sessionID, ...more }, { message: { id: "msg_1" }, parts })?.events;

test.each<[string, object[], "typed" | "synthetic"]>([
  ["a text of the person", [{ type: "text", text: "hi" }], "typed"],
  ["a text with the host's note beside it", [{ type: "text" }, { type: "text", synthetic: true }], "typed"],
  ["a file alone", [{ type: "file" }], "typed"],
  ["nothing at all", [], "typed"],
  ["a text of the host", [{ type: "text", synthetic: true }], "synthetic"],
  ["a compaction", [{ type: "compaction", auto: true }], "synthetic"],
  ["a compaction with a file", [{ type: "compaction" }, { type: "file" }], "synthetic"],
])("%s is %3$s", (_, parts, trigger) => {
  expect(prompt(parts)).toEqual([{ kind: "prompted", trigger, promptID: "msg_1" }]);
});

test("the message's id is taken from the call when the message has none", () => {
  expect(translateHook("chat.message", { sessionID, messageID: "msg_2" }, {})?.events).toEqual([
    { kind: "prompted", trigger: "typed", promptID: "msg_2" },
  ]);
  expect(translateHook("chat.message", { sessionID }, undefined)?.events).toEqual([
    { kind: "prompted", trigger: "typed" },
  ]);
});

test("a tool's hook says that it succeeded", () => {
  const input = { sessionID, callID: "c1", tool: "bash", args: { command: "ls" } };
  expect(translateHook("tool.execute.after", input, {})).toEqual({
    sessionID,
    events: [{ kind: "toolEnded", callID: "c1", succeeded: true, tool: "bash", input: { command: "ls" } }],
  });
});

test.each([
  ["chat.message", {}],
  ["tool.execute.after", { sessionID, tool: "bash" }],
  ["tool.execute.after", { sessionID, callID: "c1" }],
  ["tool.execute.after", { callID: "c1", tool: "bash" }],
  ["tool.execute.before", { sessionID, callID: "c1", tool: "bash" }],
  ["chat.params", { sessionID }],
])("%s with %j is not for us", (hook, input) => {
  expect(translateHook(hook, input, {})).toBeUndefined();
});

test("whatever the host hands over, nothing is thrown at it", () => {
  const keys = ["sessionID", "message", "parts", "id", "messageID", "type", "synthetic", "callID", "tool", "args"];
  const hook = fc.constantFrom("chat.message", "tool.execute.after");
  fc.assert(
    fc.property(hook, withKeys(keys), withKeys(keys), (name, input, output) => {
      translateHook(name, input, output);
      return true;
    }),
  );
});
