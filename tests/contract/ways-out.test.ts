import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocketServer } from "ws";
import { defaultConfig } from "../../src/server/config/schema.ts";
import { createDebugLog } from "../../src/server/journal/debug-log.ts";
import { createJournal } from "../../src/server/journal/journal.ts";
import { readJournal } from "../../src/server/journal/read-journal.ts";
import { statusLines } from "../../src/server/runtime/status.ts";
import { createTools } from "../../src/server/tools/create-tools.ts";
import { createBench } from "../server/cli/command-bench.ts";
import { hostileText as evil, isHarmless } from "./hostile-texts.ts";

// Every way out of ours, fed with hostile text from every side: nothing of it may act on a terminal or be unseen.

const decision = {
  time: `2026-01-05T10:00:00.000Z`,
  pid: 1,
  t: 1,
  alert: `done${evil}`,
  sessionID: `ses_${evil}`,
  requestID: evil,
  outcome: `delivered${evil}`,
  reason: evil,
  channels: [evil],
  title: evil,
  by: evil,
  hidden: [evil],
};
const status = {
  version: `9${evil}`,
  line: `v1${evil}`,
  pid: 7,
  configPath: evil,
  configProblem: evil,
  mutedUntil: evil,
  sessions: 1,
  nativeAttention: { path: evil, off: evil },
  terminals: [{ name: evil, focus: evil, view: evil, sessionID: evil, idleMs: 1 }],
  decisions: [decision],
  lines: [evil],
};

/** A relay of somebody who means harm, over a real socket. */
async function startEvilRelay(refuses = false) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((listening) => server.once("listening", listening));
  server.on("connection", (socket) => {
    const say = (frame: object) => socket.send(JSON.stringify(frame));
    socket.on("error", () => {});
    socket.on("message", (data) => {
      const { type } = JSON.parse(String(data));
      if (type === "hello") say({ type: "welcome", protocol: 1, relay: "r", heartbeatMs: 1_000 });
      if (type === "status") say({ type: "status", status });
      if (type === "record") say({ type: "answer", to: type, ok: !refuses, text: evil });
      if (type === "record") say({ type: "trace", line: JSON.stringify({ t: 0, kind: evil, [evil]: evil }) });
      if (type === "mute" || type === "test") say({ type: "answer", to: type, ok: true, text: evil });
    });
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return { url: `ws://127.0.0.1:${address.port}/focus`, close: () => server.close() };
}

const startedAt = Date.now();
const descriptorOf = (url: string) => ({
  ...{ url, token: "t", pid: process.pid, startedAt, line: "v1", protocol: 1 },
  directories: [`/p${evil}`],
});

let relay: Awaited<ReturnType<typeof startEvilRelay>>;
let refusing: typeof relay;
beforeAll(async () => {
  relay = await startEvilRelay();
  refusing = await startEvilRelay(true);
});
afterAll(() => {
  relay.close();
  refusing.close();
});

/** A home in which every file a command reads, and every program it calls, is somebody's who means harm. */
function evilBench(url: string) {
  const bench = createBench();
  const state = join(bench.home, ".local/state/opencode-beckon");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
    chmodSync(dirname(path), 0o700);
  };
  write(join(state, "relays/aaaaaaaaaaaaaaaa.json"), JSON.stringify(descriptorOf(url)));
  write(join(state, "journal.jsonl"), `${JSON.stringify(decision)}\n`);
  bench.write(
    ".config/opencode-beckon/config.json",
    JSON.stringify({ [evil]: evil, locale: evil, alerts: { done: evil } }),
  );
  bench.write(".config/opencode/opencode.json", JSON.stringify({ plugin: [`opencode-beckon@${evil}`, evil] }));
  bench.write("project/evil.jsonl", `${JSON.stringify({ t: 0, kind: evil, [evil]: evil })}\n`);
  const say = `printf '%s' '${evil.replaceAll("\u0000", "").toWellFormed()}' >&2; printf '%s' '1.18.3-${evil.replaceAll("\u0000", "").toWellFormed()}'`;
  for (const program of ["notify-send", "spd-say", "espeak-ng", "espeak"]) bench.program(program, `${say}; exit 1`);
  bench.program("opencode", say);
  return bench;
}

/** `quotes`: some of that text is repeated, so that the row cannot hold for nothing. */
const commands: { args: string[]; quotes: boolean; refused?: true }[] = [
  { args: ["status"], quotes: true },
  { args: ["status", "--json"], quotes: true },
  { args: ["doctor"], quotes: true },
  { args: ["doctor", "--json"], quotes: true },
  { args: ["why"], quotes: true },
  { args: ["why", "--json"], quotes: true },
  { args: ["why", evil], quotes: false },
  { args: ["config", "check"], quotes: false },
  { args: ["config", "get"], quotes: false },
  { args: ["config", "get", evil], quotes: false },
  { args: ["config", "set", "locale", evil], quotes: false },
  { args: ["config", "set", evil, evil], quotes: false },
  { args: ["config", "import", "opencode-notify", "--from", evil], quotes: true },
  { args: ["test", "pause", "--channel", "banner", "voice"], quotes: true },
  { args: ["record", "new.jsonl", "--seconds", "1"], quotes: false },
  { args: ["record", "new.jsonl", "--seconds", "1"], quotes: true, refused: true },
  { args: ["replay", evil], quotes: true },
  { args: ["replay", "evil.jsonl"], quotes: false },
  { args: ["install", "--dry-run"], quotes: true },
  { args: ["mute", evil], quotes: true },
  { args: [evil], quotes: true },
];

const escapeSign = String.fromCharCode(27);
const painted = new RegExp(`${escapeSign}\\[(?:1|2|22|3[1-6]|39)m`, "g");

describe("the command line", () => {
  test.each(commands)("$args prints nothing that acts or is not seen", async ({ args, quotes, refused }) => {
    for (const colour of [false, true]) {
      using bench = evilBench(refused ? refusing.url : relay.url);
      let printed = "";
      const write = (text: string) => {
        printed += text;
      };
      await bench.run(args, { cwd: bench.cwd, out: { write, complain: write, colour, columns: 100 } });
      expect(printed).not.toBe("");
      const plain = colour ? printed.replace(painted, "") : printed;
      expect(isHarmless(plain), JSON.stringify(plain)).toBe(true);
      if (quotes) expect(plain).toContain("EVIL");
    }
  });

  test("cannot be made to paint by text that says so", async () => {
    using bench = createBench();
    bench.write("project/x", "");
    let printed = "";
    const complain = (text: string) => {
      printed += text;
    };
    await bench.run(["mute", "\u001b[31mred\u001b[39m"], { out: { write: complain, complain, colour: true } });
    expect(printed).toContain("red");
    expect(printed).not.toContain("\u001b");
  });
});

test("no tool tells the model anything unseen", async () => {
  const config = {
    path: evil,
    current: () => defaultConfig,
    problem: () => evil,
    show: () => ({ ok: true as const, value: evil }),
    save: async () => ({ ok: false as const, error: { kind: "not-written" as const, message: evil } }),
  };
  const failed = { ok: false, outlet: evil, reason: "refused", detail: evil } as const;
  const tools = createTools({
    config,
    changed() {},
    notify: async () => ({ kind: "tried", attempts: [{ channel: "banner", delivery: failed }] }),
    statusText: () => evil,
  });
  const calls = { beckon_notify_user: { message: "m" }, beckon_config_set: { locale: "de" } };
  for (const tool of tools) {
    const args = Object.entries(calls).find(([name]) => name === tool.name)?.[1] ?? {};
    const answer = await tool.run(args, { sessionID: "ses_a" });
    expect(answer).toContain("EVIL");
    expect(isHarmless(answer), JSON.stringify(answer)).toBe(true);
  }
});

test("neither journal nor log brings it back to whoever reads them", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "beckon-ways-out-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const debug = createDebugLog({ stateDir, details: true, pid: 1, wall: Date.now });
  debug.problem(evil);
  debug.detail?.(evil);
  const journal = createJournal({ stateDir, log: debug.problem, pid: 1 });
  const own = { at: 1, alert: "done", outcome: "delivered", reason: "unattended" } as const;
  journal.append({ ...own, channels: [], sessionID: evil, title: evil, by: evil }, { wall: 0 });
  await Promise.all([debug.flush(), journal.flush()]);
  appendFileSync(join(stateDir, "journal.jsonl"), `${JSON.stringify(decision)}\n`);
  const log = readFileSync(join(stateDir, "beckon.log"), "utf8");
  expect(log.trimEnd().split("\n")).toHaveLength(2);
  expect(isHarmless(log)).toBe(true);
  const entries = await readJournal({ stateDir });
  expect(entries).toHaveLength(2);
  const words = entries.flatMap((entry) => Object.values(entry).flat().map(String));
  expect(words.filter((word) => !isHarmless(word))).toEqual([]);
  expect(words.filter((word) => word.includes("EVIL")).length).toBeGreaterThan(8);
});

test("the lines of a status are one line each, whatever a session or terminal is called", () => {
  const lines = statusLines({
    ...{ version: "1", line: "v1", pid: 1, configPath: evil, configProblem: evil, sessions: 1 },
    terminals: [{ name: `${evil}\n${evil}`, focus: "focused", view: "session", sessionID: evil, idleMs: 0 }],
    decisions: [
      {
        ...{ time: "now", alert: "done", sessionID: "ses_a", title: `${evil}\n${evil}`, outcome: "delivered" },
        ...{ reason: "unattended", channels: [], by: evil },
      },
    ],
  });
  expect(lines.filter((line) => !isHarmless(line) || line.includes("\n"))).toEqual([]);
  expect(lines.filter((line) => line.includes("EVIL")).length).toBeGreaterThanOrEqual(3);
});
