import fc from "fast-check";
import { expect, test } from "vitest";
import { shapeOf } from "../../../../src/server/core/message-history.ts";
import { messageViews } from "../../../../src/server/hosts/v1/messages.ts";
import { withKeys } from "../../../fakes/foreign.ts";

test("a message is reduced to who wrote it, when, and what went wrong", () => {
  const list = [
    {
      info: { id: "m1", role: "user", time: { created: 5 } },
      parts: [{ type: "text", text: "secret" }, { type: "file" }],
    },
    { info: { role: "assistant", error: { name: "APIError" } }, parts: [{ type: "text" }] },
    { info: { role: "user" }, parts: [{ type: "compaction" }, { type: "text", synthetic: true }] },
    { info: { role: "system" }, parts: [] },
  ];
  expect(messageViews(list)).toEqual([
    { role: "user", created: 5, texts: [{ synthetic: false }] },
    { role: "assistant", error: "APIError", texts: [{ synthetic: false }] },
    { role: "user", compaction: true, texts: [{ synthetic: true }] },
    { role: "other", texts: [] },
  ]);
});

test("a notice of a plugin, which the model never reads, is nobody's prompt", () => {
  const notice = { info: { role: "user" }, parts: [{ type: "text", ignored: true }] };
  const typed = { info: { role: "user" }, parts: [{ type: "text" }, { type: "text", ignored: true }] };
  expect(messageViews([typed, notice])).toEqual([
    { role: "user", texts: [{ synthetic: false }] },
    { role: "other", texts: [] },
  ]);
  expect(shapeOf(messageViews([typed, notice]))?.trigger).toBe("typed");
});

test("an error that is null is none", () => {
  expect(messageViews([{ info: { role: "assistant", error: null } }])).toEqual([{ role: "assistant", texts: [] }]);
});

test("whatever a host calls its messages, they can be read", () => {
  const keys = ["info", "parts", "role", "time", "created", "error", "name", "type", "synthetic"];
  fc.assert(
    fc.property(fc.oneof(withKeys(keys), fc.array(withKeys(keys))), (list) => {
      shapeOf(messageViews(list));
      return true;
    }),
  );
});
