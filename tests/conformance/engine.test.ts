import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../rig/host/wait-for.ts";
import type { HostEvent } from "./event.ts";
import { folderWith } from "./plugins.ts";
import { type ProcessOptions, startProcess } from "./server-process.ts";

async function hostWithSession({ asks = [] as string[], ...options }: ProcessOptions & { asks?: string[] } = {}) {
  const server = startProcess(options);
  onTestFinished(() => server.stop());
  const events: HostEvent[] = [];
  server.publisher.listen((event) => events.push(event));
  const { id } = await server.api.create({ location: { directory: folderWith() }, asks });
  const types = (of = id) =>
    events.filter(({ data }) => data.sessionID === of).map(({ type }) => type.replace(/^session\./, ""));
  const seen = (type: string, times = 1) =>
    waitFor(`${times} × ${type}`, () => events.filter((event) => event.type === type).at(times - 1));
  return {
    server,
    api: server.api,
    id,
    events,
    types,
    seen,
    prompt: (text: string) => server.api.prompt({ sessionID: id, text }),
  };
}

test("what a terminal event says is already readable: the idle marker stands last, and the outcome is set", async () => {
  const { server, api, id, prompt } = await hostWithSession();
  const found: unknown[] = [];
  server.publisher.listen(({ type }) => {
    if (type === "session.execution.succeeded") found.push(api.context(id).at(-1), api.get(id).outcome);
  });
  await prompt("[plain]");
  await api.wait(id);
  expect(found).toMatchObject([{ type: "idle", outcome: "succeeded" }, "succeeded"]);
});

test("a shutdown leaves no idle marker", async () => {
  const { server, id, prompt, seen } = await hostWithSession();
  await prompt("[hang]");
  await seen("session.text.started");
  await server.stop();
  expect(server.sessions.get(id)?.messages.map(({ type }) => type)).toEqual(["user", "assistant"]);
});

test("a prompt steered in while busy is drained in the same execution", async () => {
  const { api, id, types, prompt } = await hostWithSession();
  await prompt("[multi bash sleep 0.05|bash echo one]");
  await prompt("[bash echo two]");
  await api.wait(id);
  expect(types().filter((type) => type.startsWith("execution") || type === "inbox.delivered")).toEqual([
    "execution.started",
    "inbox.delivered",
    "inbox.delivered",
    "execution.succeeded",
  ]);
});

test("a prompt that comes after the last look at the inbox is left unread, and gets a successor", async () => {
  const { server, api, id, types, prompt, seen } = await hostWithSession({ engine: { stepMs: 100 } });
  server.publisher.listen(({ type }) => {
    if (type === "session.step.ended" && types().filter((each) => each === "step.ended").length === 1)
      setImmediate(() => void prompt("[plain] late"));
  });
  await prompt("[plain] first");
  await seen("session.execution.succeeded", 2);
  await api.wait(id);
  expect(types().filter((type) => /^(execution|inbox)/.test(type))).toEqual([
    "inbox.enqueued",
    "execution.started",
    "inbox.delivered",
    "inbox.enqueued",
    "execution.succeeded",
    "execution.started",
    "inbox.delivered",
    "execution.succeeded",
  ]);
});

test("after a stop an unread prompt stays in the inbox and starts nothing", async () => {
  const { server, api, id, types, prompt, seen } = await hostWithSession();
  await prompt("[hang]");
  await seen("session.text.started");
  await prompt("[plain] unread");
  await api.interrupt(id);
  const { id: marker } = await api.create({ location: server.sessions.get(id)?.location });
  await api.prompt({ sessionID: marker, text: "[plain] later" });
  await api.wait(marker);
  expect(types().at(-1)).toBe("execution.interrupted");
  expect(server.sessions.get(id)?.inbox).toHaveLength(1);
});

test("clearing an undo is an empty execution", async () => {
  const { api, id, types } = await hostWithSession();
  api.clearUndo(id);
  await api.wait(id);
  expect(types()).toEqual(["created", "execution.started", "execution.succeeded"]);
});

test("a reject answers everything that session asked, an always everything it now covers anywhere", async () => {
  const { server, api, id, events, seen, prompt } = await hostWithSession({ asks: ["shell"] });
  const replies = () => events.filter(({ type }) => type === "permission.replied").map(({ data }) => data.reply);
  await prompt("[together bash ls a|bash ls b|bash pwd]");
  await seen("permission.asked", 3);
  const first = server.permissions.list(id)[0]?.id ?? "";
  server.permissions.reply(first, "always");
  expect(replies()).toEqual(["always", "always"]);
  server.permissions.reply(server.permissions.list(id)[0]?.id ?? "", "reject");
  await api.wait(id);
  expect(replies()).toEqual(["always", "always", "reject"]);
  expect(events.findLast(({ type }) => type.startsWith("session.execution"))?.data.reason).toBe("user");
});

test("a stop drops what was asked without a reply", async () => {
  const { server, api, id, types, seen, prompt } = await hostWithSession({ asks: ["shell"] });
  await prompt("[bash ls]");
  await seen("permission.asked");
  await api.interrupt(id);
  expect(server.permissions.list(id)).toEqual([]);
  expect(types()).not.toContain("permission.replied");
});

test("closing a location rejects what is asked in it", async () => {
  const { server, id, events, seen, prompt } = await hostWithSession({ asks: ["shell"] });
  await prompt("[bash ls]");
  await seen("permission.asked");
  await server.close(server.sessions.get(id)?.location ?? { directory: "" });
  expect(events.some(({ type, data }) => type === "permission.replied" && data.reply === "reject")).toBe(true);
});

test("a question the rules ask about is a permission first and a form then, of one tool call", async () => {
  const { server, id, events, seen, prompt } = await hostWithSession({ asks: ["question"] });
  await prompt("[question]");
  const asked = await seen("permission.asked");
  server.permissions.reply(server.permissions.list(id)[0]?.id ?? "", "once");
  await seen("form.created");
  const form = server.forms.list(id)[0];
  expect(form).toMatchObject({
    title: "Questions",
    metadata: { kind: "question" },
    fields: [{ key: "q0", title: "Colour" }],
  });
  expect(asked.data.source).toMatchObject({ id: Object(form?.metadata?.tool).id });
  expect(events.filter(({ type }) => type.startsWith("form")).every(({ location }) => location !== undefined)).toBe(
    true,
  );
  server.forms.reply(form?.id ?? "", { q0: "Red" });
});

test("a background subagent's end comes back as a synthetic item and wakes its parent", async () => {
  const { api, id, types, seen, prompt } = await hostWithSession();
  await prompt("[background {bash sleep 0.05}]");
  await seen("session.execution.succeeded", 3);
  await api.wait(id);
  const item = api.context(id).find(({ type }) => type === "synthetic");
  expect(item?.metadata).toMatchObject({ source: "subagent", state: "completed" });
  expect(types().filter((type) => type.startsWith("execution"))).toHaveLength(4);
});

test("stopping the parent stops its subagent in the foreground, the child first", async () => {
  const { api, id, events, prompt, seen } = await hostWithSession();
  await prompt("[task {hang}]");
  await seen("session.text.started");
  await api.interrupt(id);
  const ends = events.filter(({ type }) => type === "session.execution.interrupted");
  expect(ends.map(({ data }) => data.sessionID === id)).toEqual([false, true]);
});

test("the context begins at the last compaction", async () => {
  const { api, id, prompt } = await hostWithSession({ engine: { contextLimit: 5_000 } });
  await prompt("[usage 6000]");
  await api.wait(id);
  expect(api.context(id).map(({ type }) => type)).toEqual(["compaction", "assistant", "idle"]);
});

test("a fork has no parent and is announced as a fork", async () => {
  const { api, id, events, prompt } = await hostWithSession();
  await prompt("[plain]");
  await api.wait(id);
  const fork = api.fork(id);
  expect(fork).not.toHaveProperty("parentID");
  expect(events.at(-1)).toMatchObject({ type: "session.forked", data: { sessionID: fork.id, parentID: id } });
});

test("a deleted session is unknown from then on, and its title may still arrive", async () => {
  const { api, id, types, seen, prompt } = await hostWithSession({ engine: { titleMs: 30 } });
  await prompt("[plain]");
  await api.wait(id);
  await api.remove(id);
  expect(() => api.get(id)).toThrow(`Session not found: ${id}`);
  await seen("session.renamed");
  expect(types().slice(-2)).toEqual(["deleted", "renamed"]);
});

test("events are shared and cannot be written into", async () => {
  const { events } = await hostWithSession();
  expect(() => Object.assign(events[0]?.data ?? {}, { title: "mine" })).toThrow(TypeError);
});

test.each(["always", "never"] as const)("locations can be %s there, against the table", async (locations) => {
  const { api, id, events, prompt } = await hostWithSession({ locations });
  await prompt("[bash ls]");
  await api.wait(id);
  const located = events.filter(({ location }) => location !== undefined).length;
  expect(located).toBe(locations === "always" ? events.length : 0);
});

test("durable events of a session are counted one by one, passing ones are not", async () => {
  const { api, id, events, prompt } = await hostWithSession();
  await prompt("[bash ls]");
  await api.wait(id);
  const own = events.filter(({ data }) => data.sessionID === id);
  const counted = own.flatMap(({ durable }) => durable?.seq ?? []);
  expect(counted).toEqual(counted.map((_, at) => at));
  expect(own.filter(({ durable }) => durable === undefined).map(({ type }) => type)).toContain("session.usage.updated");
});
