import { expect, onTestFinished, test } from "vitest";
import { waitFor } from "../rig/host/wait-for.ts";
import { folderWith } from "./plugins.ts";
import type { PluginContext } from "./server-context.ts";
import { type ProcessOptions, startProcess } from "./server-process.ts";

/** A process with one plugin of its own, and what that plugin was given. */
async function contextOf(options: ProcessOptions = {}, directory = folderWith()) {
  const given: PluginContext[] = [];
  const server = startProcess({
    builtins: [{ id: "probe", setup: (context) => void given.push(context) }],
    ...options,
  });
  onTestFinished(() => server.stop());
  await server.use({ directory });
  const [context] = given;
  if (context === undefined) throw new Error("no setup");
  return { server, context, directory };
}

test("the context has what the contract lists, and nothing that it says is not there", async () => {
  const { context, directory } = await contextOf();
  for (const member of [
    "app",
    "location",
    "options",
    "event",
    "session",
    "permission",
    "tool",
    "storage",
    "rpc",
    "plugin",
  ])
    expect(context).toHaveProperty(member);
  for (const absent of ["client", "form", "log", "serverUrl", "$", "config", "tui", "directory"])
    expect(context).not.toHaveProperty(absent);
  for (const absent of ["list", "messages", "status", "children"]) expect(context.session).not.toHaveProperty(absent);
  expect(context.location).toMatchObject({ directory, project: { directory } });
});

test("an older host has no session.remove and no session.compact", async () => {
  const { context } = await contextOf({ newer: false });
  expect(context.session).not.toHaveProperty("remove");
  expect(context.session).not.toHaveProperty("compact");
});

test("a method takes one input object and rejects unknown shapes", async () => {
  const { context } = await contextOf();
  const { id } = await context.session.create({ title: "mine" });
  await expect(context.session.get({ sessionID: id })).resolves.toMatchObject({ id, title: "mine" });
  await expect(context.session.get(id)).rejects.toThrow(/^Invalid input/);
  await expect(context.session.get({ sessionID: id, extra: 1 })).rejects.toThrow(/^Invalid input/);
  await expect(context.session.get()).rejects.toThrow(/^Invalid input/);
  await expect(context.session.get({ sessionID: "ses_none" })).rejects.toThrow("Session not found: ses_none");
});

test("a subscription is the iterable itself, begins with its iteration, and ends with its signal", async () => {
  const { server, context, directory } = await contextOf();
  const stop = new AbortController();
  const iterable = context.event.subscribe({ signal: stop.signal });
  await server.api.create({ location: { directory } });
  const heard: string[] = [];
  const pump = (async () => {
    for await (const { type } of iterable) heard.push(type);
  })();
  await server.api.create({ location: { directory } });
  await waitFor("the event", () => heard[0]);
  stop.abort();
  await pump;
  expect(heard).toEqual(["session.created"]);
});

test.each([
  ["throw", "rejected"],
  ["end", "fulfilled"],
] as const)("a stream can %s", async (how, outcome) => {
  const { server, context } = await contextOf();
  const pump = (async () => {
    for await (const _ of context.event.subscribe());
  })();
  server.breakStreams(how);
  expect((await Promise.allSettled([pump]))[0].status).toBe(outcome);
});

test("a stalled stream stays open and says nothing more", async () => {
  const { server, context, directory } = await contextOf();
  const stop = new AbortController();
  const heard: string[] = [];
  const pump = (async () => {
    for await (const { type } of context.event.subscribe({ signal: stop.signal })) heard.push(type);
  })();
  server.breakStreams("stall");
  await server.api.create({ location: { directory } });
  stop.abort();
  await pump;
  expect(heard).toEqual([]);
});

test("a tool in JSON Schema is offered and run; one of another kind is refused", async () => {
  const { server, context, directory } = await contextOf();
  const seen: unknown[] = [];
  await context.tool.hook("execute.after", (event: unknown) => void seen.push(event));
  await context.tool.transform((editor) =>
    editor.add({
      name: "greet",
      description: "Greets",
      input: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
      options: { codemode: false },
      execute: async (input: unknown) => ({ content: `hello ${JSON.stringify(input)}` }),
    }),
  );
  await expect(
    context.tool.transform((editor) => editor.add({ name: "x", description: "x", input: { _zod: {} }, execute() {} })),
  ).rejects.toThrow("Invalid tool definition");
  const { id } = await server.api.create({ location: { directory } });
  await server.api.prompt({ sessionID: id, text: '[tool greet {"who":"you"}]' });
  await server.api.wait(id);
  expect(seen).toMatchObject([{ tool: "greet", status: "completed", input: { who: "you" } }]);
});

test("a hook that throws breaks what the host was doing", async () => {
  const { server, context, directory } = await contextOf();
  await context.session.hook("prompt", () => {
    throw new Error("broken hook");
  });
  const { id } = await server.api.create({ location: { directory } });
  await expect(server.api.prompt({ sessionID: id, text: "[plain]" })).rejects.toThrow("broken hook");
  await expect(context.session.hook("nonsense", () => {})).rejects.toThrow("Unknown hook: nonsense");
});

test("the prompt hook fires for users, not for synthetic items and compactions", async () => {
  const { server, context, directory } = await contextOf();
  const seen: unknown[] = [];
  await context.session.hook("prompt", (event: unknown) => void seen.push(event));
  const { id } = await server.api.create({ location: { directory } });
  await server.api.prompt({ sessionID: id, text: "[plain]" });
  server.api.synthetic({ sessionID: id, text: "result", metadata: { source: "shell" } });
  server.api.compact(id);
  await server.api.wait(id);
  expect(seen).toMatchObject([{ sessionID: id, prompt: { text: "[plain]" }, delivery: "steer" }]);
});

test("storage is one for all locations, apart for each plugin", async () => {
  const { server, context } = await contextOf();
  await context.storage.set("muted", { until: 1 });
  const second: PluginContext[] = [];
  const other = startProcess({ builtins: [{ id: "other", setup: (given) => void second.push(given) }] });
  onTestFinished(() => other.stop());
  await other.use({ directory: "/elsewhere" });
  await server.use({ directory: "/elsewhere" });
  await expect(context.storage.get("muted")).resolves.toEqual({ until: 1 });
  await expect(second[0]?.storage.get("muted")).resolves.toBeUndefined();
  expect((await context.storage.scan({ prefix: "mu" })).entries).toHaveLength(1);
});

test("a call reaches the contract registered last, and failures are plain objects", async () => {
  const { server, context, directory } = await contextOf();
  const contract = {
    id: "acme.notify",
    methods: { report: { input: { type: "object", required: ["viewer"] }, output: { type: "object" } } },
    events: { state: { schema: { type: "object" } } },
  };
  const call = (method: string, input: unknown) => server.rpc({ directory }, "acme.notify", method, input);
  await expect(call("report", {})).rejects.toMatchObject({ type: "rpc.unavailable" });
  await context.rpc.register(contract, { report: () => ({ by: "first" }) });
  const second = await context.rpc.register(contract, { report: () => ({ by: "second" }) });
  await expect(call("report", { viewer: "v" })).resolves.toEqual({ by: "second" });
  await expect(call("report", {})).rejects.toMatchObject({ type: "rpc.invalid_input" });
  await expect(call("gone", {})).rejects.toMatchObject({ type: "rpc.method_not_found" });
  await second.dispose();
  await expect(call("report", { viewer: "v" })).resolves.toEqual({ by: "first" });
  await context.rpc.register(contract, { report: () => "no object" });
  await expect(call("report", { viewer: "v" })).rejects.toMatchObject({ type: "rpc.invalid_output" });
  await context.rpc.register(contract, { report: () => Promise.reject(new Error("broken")) });
  await expect(call("report", { viewer: "v" })).rejects.toMatchObject({ type: "rpc.internal" });
});

test("everything an instance registered ends with it", async () => {
  const { server, context, directory } = await contextOf();
  await context.tool.hook("execute.after", () => {});
  await context.rpc.register({ id: "x", methods: {}, events: {} }, {});
  const opened = await server.use({ directory });
  await server.close({ directory });
  expect(opened.hooks.count("tool.execute.after")).toBe(0);
  expect(server.streams.count()).toBe(0);
});
