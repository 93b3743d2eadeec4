import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorName, translate } from "../../../../src/server/hosts/v2/translate.ts";
import { anyJson, withKeys } from "../../../fakes/foreign.ts";

const sessionID = "ses_S";
const events = (type: string, data: object, more: object = {}) =>
  translate({ id: "evt_1", created: 5, type, data, ...more })?.events;
const item = (type: string, payload: object = {}) => ({ type, payload, delivery: "queue" });

describe("what 2.x says", () => {
  test.each<[string, object, unknown[]]>([
    [
      "session.created",
      { sessionID, title: "Fix login", location: { directory: "/project" } },
      [{ kind: "described", title: "Fix login", parentID: null, directory: "/project" }],
    ],
    ["session.created", { sessionID, parentID: "ses_P" }, [{ kind: "described", title: "", parentID: "ses_P" }]],
    [
      "session.created",
      { sessionID, info: { id: sessionID, title: "Search", parentID: "ses_P" } },
      [{ kind: "described", title: "Search", parentID: "ses_P" }],
    ],
    ["session.deleted", { sessionID }, [{ kind: "deleted" }]],
    ["session.renamed", { sessionID, title: "Better" }, [{ kind: "described", title: "Better" }]],
    ["session.moved", { sessionID, location: { directory: "/other" } }, [{ kind: "described", directory: "/other" }]],
    ["session.viewed", { sessionID, idle: 7 }, [{ kind: "viewed" }]],
    [
      "session.inbox.enqueued",
      { sessionID, inboxID: "msg_1", item: item("user", { text: "hi" }) },
      [{ kind: "prompted", trigger: "typed", promptID: "msg_1", queued: true }],
    ],
    [
      "session.inbox.enqueued",
      { sessionID, inboxID: "msg_1", item: item("synthetic", { metadata: { source: "subagent" } }) },
      [{ kind: "prompted", trigger: "synthetic", promptID: "msg_1", queued: true }],
    ],
    [
      "session.inbox.enqueued",
      { sessionID, inboxID: "msg_1", item: item("user", { metadata: { source: "shell" } }) },
      [{ kind: "prompted", trigger: "synthetic", promptID: "msg_1", queued: true }],
    ],
    [
      "session.inbox.enqueued",
      { sessionID, inboxID: "msg_1", item: item("compaction") },
      [{ kind: "prompted", trigger: "synthetic", promptID: "msg_1", queued: true }],
    ],
    [
      "session.input.admitted",
      { sessionID, inputID: "msg_1", input: { type: "user", data: { text: "hi" } } },
      [{ kind: "prompted", trigger: "typed", promptID: "msg_1", queued: true }],
    ],
    ["session.inbox.delivered", { sessionID, inboxID: "msg_1" }, [{ kind: "promptRead", promptID: "msg_1" }]],
    ["session.inbox.cancelled", { sessionID, inboxID: "msg_1" }, [{ kind: "promptRead", promptID: "msg_1" }]],
    ["session.input.promoted", { sessionID, inputID: "msg_1" }, [{ kind: "promptRead", promptID: "msg_1" }]],
    ["session.execution.started", { sessionID }, [{ kind: "started" }]],
    ["session.execution.succeeded", { sessionID }, [{ kind: "ended" }]],
    [
      "session.execution.failed",
      { sessionID, error: { type: "provider.auth", message: "secret" } },
      [{ kind: "failed", name: "provider.auth" }, { kind: "ended" }],
    ],
    [
      "session.execution.interrupted",
      { sessionID, reason: "user" },
      [{ kind: "failed", name: "MessageAbortedError" }, { kind: "ended" }],
    ],
    [
      "session.execution.interrupted",
      { sessionID, reason: "shutdown" },
      [{ kind: "failed", name: "SessionShutdownError" }, { kind: "ended" }],
    ],
    [
      "session.execution.interrupted",
      { sessionID, reason: "superseded" },
      [{ kind: "failed", name: "SessionSupersededError" }, { kind: "ended" }],
    ],
    [
      "session.execution.interrupted",
      { sessionID, reason: "inactivity" },
      [{ kind: "failed", name: "SessionInactivityError" }, { kind: "ended" }],
    ],
    [
      "session.execution.interrupted",
      { sessionID, reason: "weather" },
      [{ kind: "failed", name: "MessageAbortedError" }, { kind: "ended" }],
    ],
    [
      "session.execution.interrupted",
      { sessionID },
      [{ kind: "failed", name: "MessageAbortedError" }, { kind: "ended" }],
    ],
    ["session.idle", { sessionID }, [{ kind: "ended", legacy: true }]],
    ["session.error", { sessionID, error: { name: "APIError" } }, [{ kind: "failed", name: "APIError" }]],
    ["session.step.started", { sessionID }, [{ kind: "stepStarted" }]],
    ["session.step.ended", { sessionID, finish: "stop" }, [{ kind: "stepEnded" }]],
    ["session.text.started", { sessionID }, [{ kind: "answering" }]],
    ["session.reasoning.started", { sessionID }, [{ kind: "answering" }]],
    ["session.retry.scheduled", { sessionID, attempt: 2 }, [{ kind: "retrying", attempt: 2 }]],
    [
      "session.tool.input.started",
      { sessionID, id: "c1", name: "shell" },
      [{ kind: "toolNamed", callID: "c1", tool: "shell" }],
    ],
    [
      "session.tool.input.started",
      { sessionID, callID: "c1", name: "shell" },
      [{ kind: "toolNamed", callID: "c1", tool: "shell" }],
    ],
    [
      "session.tool.called",
      { sessionID, id: "c1", input: { a: 1 } },
      [{ kind: "toolInput", callID: "c1", input: { a: 1 } }],
    ],
    [
      "session.tool.progress",
      { sessionID, id: "c1", metadata: { sessionID: "ses_C" } },
      [{ kind: "childLinked", childID: "ses_C", launched: false }],
    ],
    [
      "session.tool.success",
      { sessionID, id: "c1", metadata: { sessionID: "ses_C", status: "running" } },
      [
        { kind: "childLinked", childID: "ses_C", launched: true },
        { kind: "toolEnded", callID: "c1", succeeded: true },
      ],
    ],
    ["session.tool.success", { sessionID, callID: "c1" }, [{ kind: "toolEnded", callID: "c1", succeeded: true }]],
    [
      "session.tool.failed",
      { sessionID, id: "c1", error: {} },
      [{ kind: "toolEnded", callID: "c1", succeeded: false }],
    ],
    [
      "permission.asked",
      { sessionID, id: "per_1", action: "shell", source: { type: "tool", id: "c1" } },
      [{ kind: "asked", ask: { requestID: "per_1", about: "permission", count: 1, label: "shell", callID: "c1" } }],
    ],
    [
      "permission.v2.asked",
      { sessionID, id: "per_1" },
      [{ kind: "asked", ask: { requestID: "per_1", about: "permission", count: 1 } }],
    ],
    [
      "permission.replied",
      { sessionID, requestID: "per_1", reply: "reject" },
      [{ kind: "answered", requestID: "per_1", how: "refused" }],
    ],
    [
      "permission.v2.replied",
      { sessionID, requestID: "per_1", decision: "once" },
      [{ kind: "answered", requestID: "per_1", how: "replied" }],
    ],
    ["form.replied", { sessionID, id: "frm_1" }, [{ kind: "answered", requestID: "frm_1", how: "replied" }]],
    ["form.cancelled", { sessionID, id: "frm_1" }, [{ kind: "answered", requestID: "frm_1", how: "refused" }]],
    [
      "question.v2.asked",
      { sessionID, id: "que_1", questions: [{ header: "Colour" }] },
      [{ kind: "asked", ask: { requestID: "que_1", about: "question", count: 1, label: "Colour" } }],
    ],
    [
      "question.asked",
      { sessionID, id: "que_1" },
      [{ kind: "asked", ask: { requestID: "que_1", about: "question", count: 1 } }],
    ],
    ["question.replied", { sessionID, requestID: "que_1" }, [{ kind: "answered", requestID: "que_1", how: "replied" }]],
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
  ])("%s %j", (type, data, expected) => {
    expect(translate({ id: "evt_1", created: 5, type, data })).toEqual({
      sessionID,
      id: "evt_1",
      created: 5,
      events: expected,
    });
  });
});

describe("a form", () => {
  const form = (more: object) => events("form.created", { form: { id: "frm_1", sessionID, ...more } });
  const asked = (more: object) => [
    { kind: "asked", ask: { requestID: "frm_1", about: "question", count: 1, ...more } },
  ];

  test("of the question tool counts its questions and belongs to its call", () => {
    const more = {
      title: "Questions",
      metadata: { kind: "question", tool: { messageID: "m", id: "c1" } },
      fields: [{ key: "q0", title: "Database", description: "Which database?" }, { key: "q1" }],
    };
    expect(form(more)).toEqual(asked({ count: 2, label: "Database", callID: "c1" }));
  });

  test("counts no fields the person does not see", () => {
    const fields = [{ hidden: true, title: "secret" }, { title: "Database" }];
    expect(form({ metadata: { kind: "question" }, fields })).toEqual(asked({ label: "Database" }));
  });

  test("of somebody else is one ask, whatever it has in it", () => {
    expect(form({ title: "Log in", fields: [{}, {}, {}] })).toEqual(asked({ label: "Log in" }));
    expect(form({})).toEqual(asked({}));
  });

  test("of no session is told once under no session's name", () => {
    expect(events("form.created", { form: { id: "frm_1", sessionID: "global" } })).toEqual([
      { kind: "described", parentID: null },
      ...asked({}),
    ]);
  });
});

describe("where a session lives", () => {
  test("is told by any event that has a location", () => {
    expect(events("session.step.started", { sessionID }, { location: { directory: "/project" } })).toEqual([
      { kind: "described", directory: "/project" },
      { kind: "stepStarted" },
    ]);
  });
});

describe("what is not for us", () => {
  test.each<[string, object]>([
    ["session.moved", { sessionID }],
    ["session.inbox.enqueued", { sessionID, inboxID: "x", item: { type: "move" } }],
    ["session.inbox.delivered", { sessionID }],
    ["session.tool.input.started", { sessionID, id: "c1" }],
    ["session.tool.called", { sessionID }],
    ["session.tool.failed", { sessionID }],
    ["session.usage.updated", { sessionID }],
    ["session.text.delta", { sessionID }],
    ["server.connected", {}],
    ["session.error", { error: {} }],
    ["session.execution.succeeded", { sessionID: "" }],
    ["session.status", { sessionID, status: { type: "idle" } }],
    ["toString", { sessionID }],
  ])("%s %j", (type, data) => {
    expect(events(type, data)).toBeUndefined();
  });
});

test("an error's type is all that is read of it", () => {
  expect(errorName({ type: "provider.auth", name: "x", message: "secret" })).toBe("provider.auth");
  expect(errorName({ name: "APIError" })).toBe("APIError");
  for (const nothing of [undefined, null, 7, {}, { type: "" }]) expect(errorName(nothing)).toBe("unknown");
});

test("every event ever recorded is translated without a word", () => {
  const folder = join(import.meta.dirname, "../../../fixtures/opencode-2-alpha");
  const seen = new Set<string>();
  for (const name of readdirSync(folder))
    for (const line of readFileSync(join(folder, name), "utf8").trim().split("\n")) {
      const { event } = JSON.parse(line);
      for (const { kind } of translate(event)?.events ?? []) seen.add(kind);
    }
  for (const kind of ["started", "ended", "asked", "answered", "failed", "toolEnded", "prompted"])
    expect(seen).toContain(kind);
});

test("whatever a host sends, it is translated or passed over, never thrown at us", () => {
  const types = fc.constantFrom(
    ...["session.created", "session.renamed", "session.moved", "session.inbox.enqueued", "session.execution.failed"],
    ...["session.execution.interrupted", "session.tool.success", "session.tool.progress", "form.created"],
    ...["permission.asked", "permission.replied", "question.v2.asked", "form.replied", "__proto__", "valueOf"],
  );
  const keys = [
    ...["sessionID", "info", "item", "payload", "metadata", "source", "reason", "error", "type", "name", "id", "form"],
    ...["fields", "title", "hidden", "location", "directory", "parentID", "callID", "input", "attempt", "requestID"],
  ];
  const event = fc.oneof(
    anyJson,
    fc.record({
      id: anyJson,
      created: anyJson,
      type: fc.oneof(types, anyJson),
      data: withKeys(keys),
      location: withKeys(keys),
    }),
  );
  fc.assert(
    fc.property(event, (each) => {
      const translated = translate(each);
      return translated === undefined || translated.sessionID !== "";
    }),
    { numRuns: 1_000 },
  );
});
