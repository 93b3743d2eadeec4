import { describe, expect, test } from "vitest";
import { replay } from "../../../src/server/replay/replay.ts";

const meta = { t: 0, kind: "meta", format: 1, line: "v1", directory: "/w/app" };
const event = (t: number, type: string, properties: object) => ({
  t,
  kind: "event",
  event: { type, properties: { sessionID: "S", ...properties } },
});
const busy = (t: number) => event(t, "session.status", { status: { type: "busy" } });
const idle = (t: number) => event(t, "session.idle", {});
/** One round of real work: told at 1400. */
const round = [
  event(0, "session.created", { info: { id: "S", title: "Fix login" } }),
  {
    t: 0,
    kind: "hook",
    hook: "chat.message",
    input: { sessionID: "S" },
    output: { message: { id: "m1" }, parts: [{ type: "text" }] },
  },
  busy(0),
  event(0, "message.part.updated", { part: { sessionID: "S", type: "step-start" } }),
  { t: 0, kind: "hook", hook: "tool.execute.after", input: { sessionID: "S", callID: "c", tool: "bash" }, output: {} },
  idle(1_000),
];

async function decided(lines: object[], config?: unknown) {
  const head = config === undefined ? meta : { ...meta, config };
  const result = await replay([head, ...lines].map((line) => JSON.stringify(line)).join("\n"));
  if (!result.ok) throw new Error(`${result.error.line}: ${result.error.what}`);
  return result.value.map(({ at, outcome, reason, channels }) =>
    [at, outcome, reason, channels.join("+")].join(" ").trim(),
  );
}

test("a round is told when its window ends", async () => {
  expect(await decided(round)).toEqual(["1400 delivered unattended banner"]);
});

test("the clock stops at the line that says so", async () => {
  expect(await decided([...round, { t: 1_399, kind: "end" }])).toEqual([]);
  expect(await decided([...round, { t: 1_400, kind: "end" }])).toEqual(["1400 delivered unattended banner"]);
});

test("it runs on for a day at most", async () => {
  const reminders = { alerts: { reminder: { afterSeconds: 3_600, times: 20 } } };
  const ask = event(0, "permission.asked", { id: "p1", permission: "bash" });
  const lines = await decided([...round.slice(0, 4), ask], reminders);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("72000350 delivered overdue banner");
});

test("a malformed trace is told by line and cause", async () => {
  expect(await replay('{"t":0}')).toEqual({ ok: false, error: { line: 1, what: "expected an object with a kind" } });
});

test("the same trace gives the same decisions, always", async () => {
  expect(await decided(round)).toEqual(await decided(round));
});

describe("what the person does", () => {
  test("editing the settings counts from then on, and a broken file changes nothing", async () => {
    const silent = { t: 500, kind: "config", text: '{"alerts":{"done":{"mode":"none"}}}' };
    expect(await decided([...round.slice(0, -1), silent, idle(1_000)])).toEqual(["1400 silent mode-none"]);
    const broken = { t: 1_200, kind: "config", text: "{" };
    expect(await decided([...round.slice(0, -1), silent, idle(1_000), broken])).toEqual(["1400 silent mode-none"]);
    const gone = { t: 600, kind: "config", remove: true };
    expect(await decided([...round.slice(0, -1), silent, gone, idle(1_000)])).toEqual([
      "1400 delivered unattended banner",
    ]);
  });

  test("muting holds for as long as it was said", async () => {
    const mute = (ms: number) => ({ t: 0, kind: "mute", ms });
    expect(await decided([...round.slice(0, -1), mute(1_401), idle(1_000)])).toEqual(["1400 silent muted"]);
    expect(await decided([...round.slice(0, -1), mute(1_400), idle(1_000)])).toEqual([
      "1400 delivered unattended banner",
    ]);
    const off = { t: 500, kind: "mute", off: true };
    expect(await decided([...round.slice(0, -1), mute(60_000), off, idle(1_000)])).toEqual([
      "1400 delivered unattended banner",
    ]);
  });

  test("a machine that slept is muted no longer, but its windows have not run", async () => {
    const lines = [...round, { t: 1_100, kind: "mute", ms: 60_000 }, { t: 1_200, kind: "sleep", ms: 61_000 }];
    expect(await decided(lines)).toEqual(["1400 delivered unattended banner"]);
  });
});

describe("channels that do not work", () => {
  const channel = (name: string, result: string) => ({ t: 0, kind: "channel", channel: name, result });

  test.each([
    ["missing", "1400 failed no-channel"],
    ["fail", "1400 failed channel-error"],
    ["hang", "1400 failed channel-error"],
  ])("%s", async (result, line) => {
    expect(await decided([channel("banner", result), ...round])).toEqual([line]);
  });

  test("leave the alert to a terminal that is there", async () => {
    const attached = { t: 0, kind: "tui", tui: "T1", op: "attach", terminal: { notify: ["osc9"] } };
    expect(await decided([channel("banner", "missing"), attached, ...round])).toEqual([
      "1400 delivered unattended terminal",
    ]);
  });
});

describe("the model's tools", () => {
  test("notify is told like anything else", async () => {
    const call = {
      t: 5,
      kind: "call",
      tool: "beckon_notify_user",
      args: { message: "ready", mode: "banner" },
      sessionID: "S",
    };
    expect(await decided([call])).toEqual(["5 delivered asked-for banner"]);
  });

  test("settings they write are in force", async () => {
    const set = {
      t: 500,
      kind: "call",
      tool: "beckon_config_set",
      args: { alerts: { done: { mode: "none" } } },
      sessionID: "S",
    };
    expect(await decided([...round.slice(0, -1), set, idle(1_000)])).toEqual(["1400 silent mode-none"]);
  });

  test("that do not exist are nothing", async () => {
    expect(await decided([{ t: 0, kind: "call", tool: "beckon_dance", args: {}, sessionID: "S" }])).toEqual([]);
  });
});

describe("what the host answers", () => {
  const unseen = [busy(0), ...round.slice(3)].filter((line) => !("hook" in line && line.hook === "chat.message"));
  const messages = (more: object) => ({ t: 0, kind: "messages", sessionID: "S", ...more });
  const typed = [{ info: { role: "user", time: { created: Date.UTC(2026, 0, 5, 10) } }, parts: [{ type: "text" }] }];

  test("a session nobody described is missing", async () => {
    expect(await decided(unseen)).toEqual(["1400 silent shape-unknown"]);
  });

  test("messages decide where nothing was seen live", async () => {
    expect(await decided([round[0] ?? {}, messages({ messages: typed }), ...unseen])).toEqual([
      "1400 delivered unattended banner",
    ]);
  });

  test("an answer that takes long delays, one that takes too long is none", async () => {
    const slow = (delayMs: number) => decided([round[0] ?? {}, messages({ messages: typed, delayMs }), ...unseen]);
    expect(await slow(999)).toEqual(["2399 delivered unattended banner"]);
    expect(await slow(1_001)).toEqual(["2400 silent shape-unknown"]);
  });
});
