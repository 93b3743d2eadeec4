import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type StatusReport, statusLines } from "../../../src/server/runtime/status.ts";
import { createBench } from "./command-bench.ts";
import { startRelay } from "./relay-rig.ts";

const report: StatusReport = {
  version: "0.1.0",
  line: "v1",
  pid: process.pid,
  configPath: "/c",
  sessions: 3,
  terminals: [
    { name: "4242 pts/3", focus: "focused", view: "session", sessionID: "ses_a", idleMs: 4_000 },
    { name: "4243 pts/4", focus: "focused", view: "session", sessionID: "ses_b", idleMs: 900_000 },
    { name: "4244 pts/5", focus: "unknown", view: "home", idleMs: 0 },
    { name: "4245 pts/6", focus: "blurred", view: "session", sessionID: "ses_a", idleMs: 130_000 },
  ],
  decisions: [],
};
const observer = { status: () => ({ ...report, lines: statusLines(report) }) };

const benchWithRelay = async () => {
  const bench = createBench();
  const state = join(bench.home, ".local/state/opencode-beckon");
  return { bench, state, rig: await startRelay(state, observer, [join(bench.home, "project")]) };
};

const journalLine = (time: string, more: object) =>
  `${JSON.stringify({ time, pid: 1, t: 5, alert: "done", sessionID: "ses_a", channels: [], title: "Fix login", ...more })}\n`;

/** A process that takes the connection and says nothing. */
async function announceHung(bench: ReturnType<typeof createBench>, server: Server): Promise<void> {
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const hung = { url: `ws://127.0.0.1:${port}/focus`, token: "t", pid: process.pid, startedAt: Date.now() };
  const text = JSON.stringify({ ...hung, line: "v1", directories: [], protocol: 1 });
  chmodSync(bench.write(".local/state/opencode-beckon/relays/hung0000hung.json", text), 0o600);
}

describe("beckon status", () => {
  test("shows who runs, who looks and what was decided last", async () => {
    const { bench, state, rig } = await benchWithRelay();
    using _ = bench;
    await using __ = rig;
    writeFileSync(
      join(state, "journal.jsonl"),
      journalLine("2026-01-04T23:00:00.000Z", { outcome: "silent", reason: "aborted" }) +
        journalLine("2026-01-05T10:00:00.000Z", { outcome: "suppressed", reason: "attended", by: "4242 pts/3" }),
    );
    const { code, out, complaints } = await bench.run(["status"]);
    expect(complaints).toBe("");
    expect(code).toBe(0);
    expect(out.replaceAll(String(process.pid), "PID")).toMatchInlineSnapshot(`
      "opencode 1.x, pid PID, ~/project
        beckon 0.1.0, 3 sessions known
        terminal 4242 pts/3: focused, shows ses_a, last used 4 s ago; you look at that session
        terminal 4243 pts/4: focused, shows ses_b, last used 15 min ago; counts as left, because it was not used for so long
        terminal 4244 pts/5: unknown, shows the start screen, last used 0 s ago; it never told its focus, so it silences nothing
        terminal 4245 pts/6: blurred, shows ses_a, last used 2 min ago; nobody looks

      Last decisions, Mon 5 Jan 2026
        10:00:00  Fix login                     done    held back: you were looking at it (4242 pts/3)
      "
    `);
  });

  test("says when alerts are muted", async () => {
    const { bench, rig } = await benchWithRelay();
    using _ = bench;
    await using __ = rig;
    await bench.run(["mute", "2h"]);
    expect((await bench.run(["status"])).out).toContain("Muted until");
    await bench.run(["mute", "off"]);
    expect((await bench.run(["status"])).out).not.toContain("Muted until");
  });

  test("says once that opencode itself calls too, with the line that ends it", async () => {
    const bench = createBench();
    using _ = bench;
    const nativeAttention = {
      path: join(bench.home, ".config/opencode/tui.json"),
      off: "beckon install --native-attention-off",
    };
    const rigs = await Promise.all(
      [".local/state/opencode-beckon", "run/opencode-beckon"].map((folder) =>
        startRelay(join(bench.home, folder), { status: () => ({ ...report, nativeAttention }) }),
      ),
    );
    const env = { ...bench.env, BECKON_RUNTIME_DIR: join(bench.home, "run/opencode-beckon") };
    const { out } = await bench.run(["status"], { place: { env, platform: "linux", home: bench.home } });
    expect(out.match(/opencode 1\.x, pid/g)).toHaveLength(2);
    expect(out.split("\n").filter((line) => line.includes("attention"))).toEqual([
      "opencode calls you too: its own attention is on in ~/.config/opencode/tui.json; to switch it off: beckon install --native-attention-off",
    ]);
    for (const rig of rigs) await rig[Symbol.asyncDispose]();
  });

  test("as JSON has every fact and never the relay's token", async () => {
    const { bench, rig } = await benchWithRelay();
    using _ = bench;
    await using __ = rig;
    const { out } = await bench.run(["status", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ running: [{ pid: process.pid, report: { sessions: 3 } }], decisions: [] });
    expect(out).not.toContain("token");
  });

  test("without a running opencode is a finding", async () => {
    using bench = createBench();
    expect(await bench.run(["status"])).toEqual({
      code: 1,
      out: "No running opencode with beckon in it.\n",
      complaints: "",
    });
  });

  test("leaves out what a dead process announced", async () => {
    using bench = createBench();
    const folder = join(bench.home, ".local/state/opencode-beckon/relays");
    mkdirSync(folder, { recursive: true });
    const dead = {
      url: "ws://127.0.0.1:9/focus",
      token: "t",
      pid: 2 ** 22 - 3,
      startedAt: 0,
      line: "v1",
      directories: [],
      protocol: 1,
    };
    writeFileSync(join(folder, "deadbeefdead.json"), JSON.stringify(dead), { mode: 0o600 });
    expect((await bench.run(["status"])).code).toBe(1);
  });

  test("names a process that does not answer as one", async () => {
    const bench = createBench();
    using _ = bench;
    const state = join(bench.home, ".local/state/opencode-beckon");
    const rig = await startRelay(state, { status: () => "not what we expect" });
    await using __ = rig;
    expect((await bench.run(["status"])).out).toContain("does not answer: an answer this version cannot read");
  });

  test("says of an opencode that hangs that it does not answer, and asks it once", async () => {
    const bench = createBench();
    using _ = bench;
    const server = createServer();
    const asked: unknown[] = [];
    server.on("connection", (socket) => asked.push(socket));
    await announceHung(bench, server);
    const { code, out } = await bench.run(["status"]);
    expect(code).toBe(0);
    expect(out).toContain("does not answer: no answer within 10 s");
    expect(asked).toHaveLength(1);
    server.close();
  });

  test("--watch ends at once, also while an opencode hangs", async () => {
    const bench = createBench();
    using _ = bench;
    const server = createServer();
    await announceHung(bench, server);
    const stop = new AbortController();
    server.once("connection", () => stop.abort());
    const watching = bench.run(["status", "--watch"], { signal: stop.signal });
    expect(await watching).toEqual({ code: 0, out: "", complaints: "" });
    server.close();
  });

  test("--watch for programs is one line a change, without a sign to a terminal", async () => {
    const { bench, rig } = await benchWithRelay();
    using _ = bench;
    await using __ = rig;
    const stop = new AbortController();
    const shown: string[] = [];
    const write = (text: string) => {
      shown.push(text);
      stop.abort();
    };
    const out = { write, complain: () => {}, colour: true, columns: 80 };
    await bench.run(["status", "--watch", "--json"], { out, signal: stop.signal });
    expect(shown.map((line) => JSON.parse(line))).toHaveLength(1);
  });

  test("--watch shows each change until it is interrupted", async () => {
    const { bench, rig } = await benchWithRelay();
    using _ = bench;
    await using __ = rig;
    const stop = new AbortController();
    const shown: string[] = [];
    const out = {
      write: (text: string) => {
        shown.push(text);
        if (shown.length === 1) void bench.run(["mute", "2h"]);
        else stop.abort();
      },
      complain: () => {},
      colour: false,
    };
    const { code } = await bench.run(["status", "--watch"], { out, signal: stop.signal });
    expect(code).toBe(0);
    expect(shown[0]).not.toContain("Muted until");
    expect(shown.at(-1)).toContain("Muted until");
  });
});
