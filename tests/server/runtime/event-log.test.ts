import { expect, test } from "vitest";
import type { HostEvent, SessionEvent } from "../../../src/server/core/event.ts";
import { createEventLog } from "../../../src/server/runtime/event-log.ts";
import type { HostQueries } from "../../../src/server/runtime/host.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { createFakeTerminals } from "../../fakes/terminals.ts";

function start() {
  const lines: string[] = [];
  const clock = createHandCrankedClock();
  const log = createEventLog({ clock, detail: (line) => lines.push(line) });
  const heard: HostEvent[] = [];
  return { log, lines, clock, heard, hear: log.hearing((event) => void heard.push(event)) };
}

const secret = "rm -rf ~/Secret-Plan";
const everything: SessionEvent[] = [
  { kind: "described", title: secret, parentID: null, directory: secret },
  { kind: "described", title: secret, parentID: "ses_P" },
  { kind: "described", title: secret },
  { kind: "userMessage", messageID: "msg_1" },
  { kind: "userText", messageID: "msg_1", trigger: "typed" },
  { kind: "prompted", trigger: "synthetic", promptID: "msg_2", queued: true },
  { kind: "promptRead", promptID: "msg_2" },
  { kind: "started" },
  { kind: "stepStarted" },
  { kind: "toolNamed", callID: "c1", tool: secret, input: secret },
  { kind: "toolInput", callID: "c1", input: { command: secret } },
  { kind: "toolEnded", callID: "c1", succeeded: true, tool: secret, input: { command: secret } },
  { kind: "toolEnded", callID: "c2", succeeded: false },
  { kind: "childLinked", childID: "ses_C", launched: true },
  { kind: "retrying", attempt: 3 },
  { kind: "failed", name: "APIError" },
  { kind: "asked", ask: { requestID: "per_1", about: "permission", label: secret, count: 1, callID: "c1" } },
  { kind: "answered", requestID: "per_1", how: "replied" },
  { kind: "answered", how: "refused" },
  { kind: "ended" },
];

test("an event is told by what it is and whom it is about, never by what anybody wrote", () => {
  const { hear, heard, lines } = start();
  hear({ sessionID: "ses_S", events: everything });
  expect(heard).toEqual([{ sessionID: "ses_S", events: everything }]);
  expect(lines).toEqual([
    "heard ses_S described root",
    "heard ses_S described child of ses_P",
    "heard ses_S described",
    "heard ses_S userMessage msg_1",
    "heard ses_S userText msg_1 typed",
    "heard ses_S prompted msg_2 synthetic queued",
    "heard ses_S promptRead msg_2",
    "heard ses_S started",
    "heard ses_S stepStarted",
    "heard ses_S toolNamed c1",
    "heard ses_S toolInput c1",
    "heard ses_S toolEnded c1 succeeded real",
    "heard ses_S toolEnded c2 failed",
    "heard ses_S childLinked ses_C in the background",
    "heard ses_S retrying 3",
    "heard ses_S failed APIError",
    "heard ses_S asked per_1 permission",
    "heard ses_S answered per_1 replied",
    "heard ses_S answered all refused",
    "heard ses_S ended",
  ]);
});

test("an event every instance of the plugin hears is told once", () => {
  const { hear, lines } = start();
  for (let instance = 0; instance < 3; instance++)
    hear({ sessionID: "ses_S", id: "evt_1", events: [{ kind: "started" }] });
  expect(lines).toEqual(["heard ses_S started"]);
});

test("a look-up is told with its answer, and passes it on", async () => {
  const { log, lines } = start();
  const host: HostQueries = {
    session: async (id) => (id === "ses_S" ? { title: secret, parentID: null } : { parentID: "ses_S" }),
    messages: async () => [],
    answer: async () => {},
  };
  const watched = log.watched(host);
  expect(await watched.session("ses_S")).toEqual({ title: secret, parentID: null });
  await watched.session("ses_C");
  await watched.messages("ses_S");
  await watched.answer?.("ses_S", "per_1", "once");
  expect(lines).toEqual([
    "looked up ses_S: a root",
    "looked up ses_C: child of ses_S",
    "looked up ses_S's messages: 0",
    "looked up per_1 once: accepted",
  ]);
});

test("a look-up that fails is told without the host's words, and fails all the same", async () => {
  const { log, lines } = start();
  const fails = async () => Promise.reject(new Error(secret));
  const watched = log.watched({ session: async () => "missing", messages: fails });
  expect(await watched.session("ses_S")).toBe("missing");
  await expect(watched.messages("ses_S")).rejects.toThrow(secret);
  expect(watched.answer).toBeUndefined();
  expect(lines).toEqual(["looked up ses_S: missing", "looked up ses_S's messages: no answer"]);
});

test("a decision is told without the words a person reads", () => {
  const { log, lines } = start();
  const words = { title: secret, message: secret };
  const about = { at: 1, sessionID: "ses_S", ...words } as const;
  log.decided({
    ...about,
    alert: "pause",
    requestID: "per_1",
    outcome: "delivered",
    reason: "unattended",
    channels: ["banner", "push"],
    hidden: ["locked"],
  });
  log.decided({ ...about, alert: "done", outcome: "suppressed", reason: "attended", channels: [], by: "pid 7" });
  expect(lines).toEqual([
    "decided ses_S per_1 pause delivered unattended → banner push locked",
    "decided ses_S done suppressed attended (pid 7)",
  ]);
});

test("what a person does at a terminal is told when it changes", () => {
  const { log, lines, clock } = start();
  const terminals = createFakeTerminals(clock);
  terminals.shows("T1", "ses_S");
  log.presenceChanged(terminals.presence());
  log.presenceChanged(terminals.presence());
  terminals.leaves("T1");
  log.presenceChanged(terminals.presence());
  expect(lines).toEqual([
    "terminal T1 attach",
    'terminal T1 view {"type":"session","sessionID":"ses_S"}',
    "terminal T1 focus",
    'terminal T1 view {"type":"home"}',
    "terminal T1 blur",
  ]);
});
