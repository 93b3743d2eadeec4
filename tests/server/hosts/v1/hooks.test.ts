import fc from "fast-check";
import { expect, test } from "vitest";
import { translateHook } from "../../../../src/server/hosts/v1/hooks.ts";
import { translate } from "../../../../src/server/hosts/v1/translate.ts";
import { withKeys } from "../../../fakes/foreign.ts";

const sessionID = "ses_S";
const prompt = (parts: object[], more: object = {}) =>
  translateHook("chat.message", { sessionID, ...more }, { message: { id: "msg_1" }, parts })?.events;

test.each<[string, object[], "typed" | "synthetic"]>([
  ["a text of the person", [{ type: "text", text: "hi" }], "typed"],
  ["a text with the host's note beside it", [{ type: "text" }, { type: "text", synthetic: true }], "typed"],
  ["a text with a plugin's notice beside it", [{ type: "text" }, { type: "text", ignored: true }], "typed"],
  ["a file alone", [{ type: "file" }], "typed"],
  ["a file with a notice", [{ type: "file" }, { type: "text", ignored: true }], "typed"],
  ["nothing at all", [], "typed"],
  ["a text of the host", [{ type: "text", synthetic: true }], "synthetic"],
  [
    "a text of the host with a notice",
    [
      { type: "text", synthetic: true },
      { type: "text", ignored: true },
    ],
    "synthetic",
  ],
  ["a compaction", [{ type: "compaction", auto: true }], "synthetic"],
  ["a compaction with a file", [{ type: "compaction" }, { type: "file" }], "synthetic"],
])("%s is %3$s", (_, parts, trigger) => {
  expect(prompt(parts)).toEqual([{ kind: "prompted", trigger, promptID: "msg_1" }]);
});

test.each([
  ["one", [{ type: "text", ignored: true }]],
  [
    "two texts",
    [
      { type: "text", ignored: true, synthetic: true },
      { type: "text", ignored: true },
    ],
  ],
])("a notice of a plugin, which the model never reads, is nobody's prompt (%s)", (_, parts) => {
  expect(prompt(parts)).toBeUndefined();
});

test("hook and events say the same of the same prompt", () => {
  const part = fc.record({
    type: fc.constantFrom("text", "compaction"),
    synthetic: fc.boolean(),
    ignored: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      const told = parts.flatMap((each) => {
        const event = {
          type: "message.part.updated",
          properties: { sessionID, part: { ...each, messageID: "msg_1" } },
        };
        return (translate(event)?.events ?? []).flatMap((said) => (said.kind === "userText" ? [said.trigger] : []));
      });
      const [prompted] = prompt(parts) ?? [];
      const trigger = prompted?.kind === "prompted" ? prompted.trigger : undefined;
      expect(trigger).toBe(told.includes("typed") ? "typed" : told[0]);
    }),
  );
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
