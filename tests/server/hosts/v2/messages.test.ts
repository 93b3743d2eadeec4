import fc from "fast-check";
import { expect, test } from "vitest";
import { shapeOf } from "../../../../src/server/core/message-history.ts";
import { messageViews } from "../../../../src/server/hosts/v2/messages.ts";
import { withKeys } from "../../../fakes/foreign.ts";

test("a message is reduced to who wrote it, when, and what went wrong", () => {
  const list = [
    { id: "m1", type: "user", text: "secret", time: { created: 5 } },
    { type: "assistant", content: [], error: { type: "provider.auth", message: "secret" } },
    { type: "user", metadata: { source: "subagent" } },
    { type: "synthetic", text: "note" },
    { type: "idle", outcome: "succeeded" },
    { type: "model-switched" },
    { type: "something new" },
  ];
  expect(messageViews(list)).toEqual([
    { role: "user", created: 5, texts: [] },
    { role: "assistant", error: "provider.auth", texts: [] },
    { role: "synthetic", texts: [] },
    { role: "synthetic", texts: [] },
    { role: "idle", texts: [] },
    { role: "other", texts: [] },
    { role: "other", texts: [] },
  ]);
});

test("whatever a host calls its messages, they can be read", () => {
  const keys = ["type", "time", "created", "error", "name", "metadata", "source"];
  fc.assert(
    fc.property(fc.oneof(withKeys(keys), fc.array(withKeys(keys))), (list) => {
      shapeOf(messageViews(list));
      return true;
    }),
  );
});
