import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../../../src/server/core/event.ts";
import { errorName, translate } from "../../../../src/server/hosts/v1/translate.ts";
import { anyJson, withKeys } from "../../../fakes/foreign.ts";

const sessionID = "ses_S";
const events = (type: string, properties: object) => translate({ id: "evt_1", type, properties })?.events;
const info = { id: sessionID, title: "Fix login", directory: "/project" };

describe("what 1.18 says", () => {
  const described = (more: object = {}): SessionEvent => ({
    kind: "described",
    title: "Fix login",
    parentID: null,
    directory: "/project",
    ...more,
  });
  const ask = (more: object) => ({ kind: "asked", ask: { count: 1, ...more } });
  const part = (more: object) => ({ sessionID, part: { sessionID, messageID: "msg_1", ...more } });

  test.each<[string, object, unknown[]]>([
    ["session.created", { sessionID, info }, [described()]],
    ["session.created", { info: { ...info, parentID: "ses_P" } }, [described({ parentID: "ses_P" })]],
    ["session.updated", { sessionID, info: { ...info, title: 7 } }, [described({ title: "" })]],
    ["session.deleted", { sessionID, info }, [{ kind: "deleted" }]],
    ["session.deleted", { info }, [{ kind: "deleted" }]],
    ["session.status", { sessionID, status: { type: "busy" } }, [{ kind: "started" }]],
    ["session.status", { sessionID, status: { type: "idle" } }, [{ kind: "ended" }]],
    ["session.status", { sessionID, status: { type: "retry", attempt: 3 } }, [{ kind: "retrying", attempt: 3 }]],
    ["session.status", { sessionID, status: { type: "retry" } }, [{ kind: "retrying", attempt: 1 }]],
    ["session.idle", { sessionID }, [{ kind: "ended", legacy: true }]],
    ["session.error", { sessionID, error: { name: "APIError", data: {} } }, [{ kind: "failed", name: "APIError" }]],
    ["session.error", { sessionID }, [{ kind: "failed", name: "unknown" }]],
    [
      "message.updated",
      { sessionID, info: { id: "msg_1", role: "user" } },
      [{ kind: "userMessage", messageID: "msg_1" }],
    ],
    [
      "message.part.updated",
      part({ type: "text", text: "hi" }),
      [{ kind: "userText", messageID: "msg_1", trigger: "typed" }],
    ],
    [
      "message.part.updated",
      part({ type: "text", synthetic: true }),
      [{ kind: "userText", messageID: "msg_1", trigger: "synthetic" }],
    ],
    [
      "message.part.updated",
      part({ type: "compaction" }),
      [{ kind: "userText", messageID: "msg_1", trigger: "synthetic" }],
    ],
    ["message.part.updated", part({ type: "reasoning" }), [{ kind: "answering" }]],
    ["message.part.updated", part({ type: "step-start" }), [{ kind: "stepStarted" }]],
    ["message.part.updated", part({ type: "step-finish" }), [{ kind: "stepEnded" }]],
    [
      "message.part.updated",
      part({ type: "tool", callID: "c1", tool: "bash", state: { status: "pending", input: {}, raw: "" } }),
      [{ kind: "toolNamed", callID: "c1", tool: "bash" }],
    ],
    [
      "message.part.updated",
      part({ type: "tool", callID: "c1", tool: "bash", state: { status: "completed", input: { command: "ls" } } }),
      [{ kind: "toolEnded", callID: "c1", succeeded: true, tool: "bash", input: { command: "ls" } }],
    ],
    [
      "message.part.updated",
      part({ type: "tool", callID: "c1", tool: "bash", state: { status: "error" } }),
      [{ kind: "toolEnded", callID: "c1", succeeded: false, tool: "bash", input: undefined }],
    ],
    [
      "message.part.updated",
      part({
        type: "tool",
        callID: "c1",
        tool: "task",
        state: { status: "running", metadata: { sessionId: "ses_C" } },
      }),
      [{ kind: "childLinked", childID: "ses_C", launched: false }],
    ],
    [
      "permission.asked",
      { id: "per_1", sessionID, permission: "bash", patterns: ["ls"], tool: { messageID: "m", callID: "c1" } },
      [ask({ requestID: "per_1", about: "permission", label: "bash", callID: "c1" })],
    ],
    [
      "permission.v2.asked",
      { id: "per_1", sessionID, action: "edit" },
      [ask({ requestID: "per_1", about: "permission", label: "edit" })],
    ],
    [
      "permission.updated",
      { id: "per_1", sessionID, type: "bash" },
      [ask({ requestID: "per_1", about: "permission", label: "bash" })],
    ],
    [
      "permission.replied",
      { sessionID, requestID: "per_1", reply: "once" },
      [{ kind: "answered", requestID: "per_1", how: "replied" }],
    ],
    [
      "permission.replied",
      { sessionID, requestID: "per_1", reply: "reject" },
      [{ kind: "answered", requestID: "per_1", how: "refused" }],
    ],
    [
      "permission.v2.replied",
      { sessionID, requestID: "per_1", reply: "always" },
      [{ kind: "answered", requestID: "per_1", how: "replied" }],
    ],
    ["permission.replied", { sessionID }, [{ kind: "answered", how: "replied" }]],
    [
      "question.asked",
      { id: "que_1", sessionID, questions: [{ header: "Colour", question: "Which?" }, {}] },
      [{ kind: "asked", ask: { requestID: "que_1", about: "question", label: "Colour", count: 2 } }],
    ],
    ["question.v2.asked", { id: "que_1", sessionID }, [ask({ requestID: "que_1", about: "question" })]],
    [
      "question.replied",
      { sessionID, requestID: "que_1", answers: [["Red"]] },
      [{ kind: "answered", requestID: "que_1", how: "replied" }],
    ],
    [
      "question.v2.replied",
      { sessionID, requestID: "que_1" },
      [{ kind: "answered", requestID: "que_1", how: "replied" }],
    ],
    [
      "question.rejected",
      { sessionID, requestID: "que_1" },
      [{ kind: "answered", requestID: "que_1", how: "refused" }],
    ],
    [
      "question.v2.rejected",
      { sessionID, requestID: "que_1" },
      [{ kind: "answered", requestID: "que_1", how: "refused" }],
    ],
  ])("%s %j", (type, properties, expected) => {
    expect(translate({ id: "evt_1", type, properties })).toEqual({ sessionID, id: "evt_1", events: expected });
  });
});

describe("what is not for us", () => {
  test.each<[string, object]>([
    ["session.error", { error: { name: "APIError" } }],
    ["session.status", { sessionID, status: { type: "pondering" } }],
    ["session.updated", { sessionID }],
    ["message.updated", { sessionID, info: { id: "msg_1", role: "assistant" } }],
    ["message.part.updated", { sessionID, part: { type: "file", messageID: "msg_1" } }],
    ["message.part.updated", { sessionID, part: { type: "text", messageID: "msg_1", ignored: true } }],
    ["message.part.updated", { sessionID, part: { type: "tool", tool: "bash", state: { status: "completed" } } }],
    [
      "message.part.updated",
      { sessionID, part: { type: "tool", callID: "c", tool: "bash", state: { status: "running" } } },
    ],
    [
      "message.part.updated",
      {
        sessionID,
        part: { type: "tool", callID: "c", tool: "bash", state: { status: "completed", time: { compacted: 3 } } },
      },
    ],
    ["message.part.delta", { sessionID, delta: "x" }],
    ["todo.updated", { sessionID, todos: [] }],
    ["plugin.added", { id: "x" }],
    ["session.idle", { sessionID: "" }],
    ["session.idle", { sessionID: "x".repeat(257) }],
    ["constructor", { sessionID }],
  ])("%s %j", (type, properties) => {
    expect(events(type, properties)).toBeUndefined();
  });
});

test("an error's name is all that is read of it", () => {
  expect(errorName({ name: "APIError", type: "x", data: { message: "secret" } })).toBe("APIError");
  expect(errorName({ type: "provider.auth" })).toBe("provider.auth");
  for (const nothing of [undefined, null, "text", {}, { name: "" }, { name: 7 }])
    expect(errorName(nothing)).toBe("unknown");
});

test("every event ever recorded is translated without a word, and those that matter matter", () => {
  const folder = join(import.meta.dirname, "../../../fixtures/opencode-1.18");
  const kinds = new Set<string>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".jsonl")))
    for (const line of readFileSync(join(folder, name), "utf8").trim().split("\n"))
      for (const { kind } of translate(JSON.parse(line).event)?.events ?? []) kinds.add(kind);
  expect([...kinds].toSorted()).toEqual([
    "answered",
    "asked",
    "childLinked",
    "deleted",
    "described",
    "ended",
    "failed",
    "retrying",
    "started",
    "stepEnded",
    "stepStarted",
    "toolEnded",
    "toolNamed",
    "userMessage",
    "userText",
  ]);
});

test("whatever a host sends, it is translated or passed over, never thrown at us", () => {
  const types = fc.constantFrom(
    ...["session.created", "session.updated", "session.deleted", "session.status", "session.idle", "session.error"],
    ...["message.updated", "message.part.updated", "permission.asked", "permission.replied", "question.asked"],
    ...["question.replied", "question.rejected", "permission.updated", "permission.v2.asked", "toString", "__proto__"],
  );
  const keys = [
    ...["sessionID", "info", "part", "status", "type", "id", "error", "name", "attempt", "role", "messageID", "state"],
    ...["callID", "tool", "input", "metadata", "sessionId", "questions", "header", "permission", "reply", "requestID"],
  ];
  const event = fc.oneof(
    anyJson,
    fc.record({ id: anyJson, type: fc.oneof(types, anyJson), properties: withKeys(keys) }),
  );
  fc.assert(
    fc.property(event, (each) => {
      const translated = translate(each);
      return translated === undefined || (translated.sessionID !== "" && translated.events.length > 0);
    }),
    { numRuns: 1_000 },
  );
});
