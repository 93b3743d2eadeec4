import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decisionWords, wordedDecisions } from "../../../../src/server/cli/why-words.ts";
import type { Decision } from "../../../../src/server/core/decision.ts";
import { createJournal } from "../../../../src/server/journal/journal.ts";
import { createBench } from "../command-bench.ts";

const decision = (more: Partial<Decision>): Decision => ({
  ...{
    at: 1,
    alert: "done",
    sessionID: "ses_login",
    outcome: "silent",
    reason: "no-real-work",
    channels: [],
    title: "Fix login",
  },
  ...more,
});

const moment = Date.parse("2026-01-05T10:00:00Z");

const benchWithJournal = async (decisions: readonly Partial<Decision>[]) => {
  const bench = createBench();
  const stateDir = join(bench.home, ".local/state/opencode-beckon");
  const journal = createJournal({ stateDir, pid: 7, log: () => {} });
  for (const [index, one] of decisions.entries()) journal.append(decision(one), { wall: moment + index * 60_000 });
  await journal.flush();
  return { bench, stateDir, path: join(stateDir, "journal.jsonl") };
};

const evening = [
  { outcome: "delivered", reason: "unattended", channels: ["banner", "voice"], hidden: ["do-not-disturb", "locked"] },
  {
    alert: "pause",
    outcome: "deferred",
    reason: "attended",
    by: "4242 pts/3",
    sessionID: "ses_docs",
    title: "Write docs",
  },
  { outcome: "silent", reason: "no-real-work" },
  { alert: "error", outcome: "failed", reason: "no-channel", title: "a\u0007b\u001b]0;evil" },
  {
    alert: "pause",
    outcome: "withdrawn",
    reason: "answered",
    channels: ["banner"],
    sessionID: "ses_docs",
    title: "Write docs",
  },
] as const satisfies readonly Partial<Decision>[];

describe("beckon why", () => {
  test("says in plain words what was decided, when, and who was looking", async () => {
    const { bench } = await benchWithJournal(evening);
    using _ = bench;
    const { code, out, complaints } = await bench.run(["why"]);
    expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
    expect(out).toMatchInlineSnapshot(`
      "Mon 5 Jan 2026
        10:00:00  Fix login                     done    called you: nobody was looking at it → banner, voice; do not disturb was on, the screen was locked
        10:01:00  Write docs                    pause   held for later: you were looking at it; it comes if you leave before answering (4242 pts/3)
        10:02:00  Fix login                     done    silent: the round only answered or wrote todos, no real tool ran
        10:03:00  ab]0;evil                     error   not delivered: no channel could be used here
        10:04:00  Write docs                    pause   taken back: it was answered
      "
    `);
  });

  test.each([
    [["why", "--last", "2"], 2],
    [["why", "ses_docs"], 2],
    [["why", "ses_lo"], 3],
    [["why", "WRITE"], 2],
    [["why", "login", "-n", "1"], 1],
  ])("%j shows that many decisions", async (words, count) => {
    const { bench } = await benchWithJournal(evening);
    using _ = bench;
    const { out } = await bench.run([...words, "--json"]);
    expect(out.trim().split("\n")).toHaveLength(count);
  });

  test("for programs is the journal's line and its words", async () => {
    const { bench } = await benchWithJournal(evening.slice(0, 1));
    using _ = bench;
    const { out } = await bench.run(["why", "--json"]);
    expect(JSON.parse(out)).toEqual({
      ...{ time: "2026-01-05T10:00:00.000Z", pid: 7, t: 1, alert: "done", sessionID: "ses_login", title: "Fix login" },
      ...{
        outcome: "delivered",
        reason: "unattended",
        channels: ["banner", "voice"],
        hidden: ["do-not-disturb", "locked"],
        words: "called you: nobody was looking at it",
      },
    });
  });

  test("without decisions says where they would be, and ends with 1", async () => {
    using bench = createBench();
    expect(await bench.run(["why"])).toEqual({
      code: 1,
      out: "",
      complaints:
        "beckon: No decision has been made yet (~/.local/state/opencode-beckon/journal.jsonl). Is the plugin loaded? See: beckon doctor\n",
    });
    expect((await bench.run(["why", "login"])).complaints).toContain("No decision about «login»");
  });

  test("a journal that cannot be read is named with the reason, also when it is followed", async () => {
    using bench = createBench();
    mkdirSync(join(bench.home, ".local/state/opencode-beckon/journal.jsonl"), { recursive: true });
    for (const words of [["why"], ["why", "login"], ["why", "--follow"]])
      expect(await bench.run(words)).toEqual({
        code: 1,
        out: "",
        complaints: "beckon: ROOT/home/.local/state/opencode-beckon/journal.jsonl: is a folder, not a file\n",
      });
  });

  test("no sign of a damaged journal acts on the terminal", async () => {
    const { bench, path } = await benchWithJournal(evening.slice(0, 1));
    using _ = bench;
    const evil = "x\u001b[2J\u0007";
    const damaged = { time: "2026-01-05T11:00:00Z", pid: 1, t: 1, alert: evil, sessionID: evil, outcome: evil };
    appendFileSync(
      path,
      `${JSON.stringify({ ...damaged, reason: evil, channels: [evil], hidden: [evil], by: evil })}\n`,
    );
    const { out } = await bench.run(["why"]);
    expect(out.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(out).toContain("x: x");
  });

  test("leaves out a torn line and shows the code of a reason it does not know", async () => {
    const { bench, path } = await benchWithJournal(evening.slice(0, 1));
    using _ = bench;
    const later = {
      time: "2026-01-05T11:00:00Z",
      pid: 1,
      t: 1,
      alert: "done",
      sessionID: "s",
      outcome: "silent",
      reason: "of-tomorrow",
      channels: [],
    };
    appendFileSync(path, `{"time":"2026-\n${JSON.stringify(later)}\n`);
    const { out } = await bench.run(["why"]);
    expect(out).toContain("silent: of-tomorrow");
    expect(out.trim().split("\n")).toHaveLength(3);
  });

  test("--follow goes on with what is decided from now on, over a rotation, until it is interrupted", async () => {
    const { bench, path } = await benchWithJournal(evening.slice(0, 1));
    using _ = bench;
    const stop = new AbortController();
    const shown: string[] = [];
    const line = (title: string) => {
      return `${JSON.stringify({ time: "2026-01-05T12:00:00Z", pid: 1, t: 1, alert: "done", sessionID: "s", outcome: "silent", reason: "aborted", channels: [], title })}\n`;
    };
    const then: (() => void)[] = [
      () => appendFileSync(path, line("second")),
      () => {
        renameSync(path, `${path}.1`);
        appendFileSync(`${path}.1`, line("third, into the old file"));
        writeFileSync(path, line("fourth, into the new one"));
      },
      () => {},
      () => stop.abort(),
    ];
    const out = {
      write: (text: string) => {
        if (!text.startsWith("  ")) return; // the day
        shown.push(text);
        setImmediate(() => then.shift()?.());
      },
      complain: () => {},
      colour: false,
    };
    const { code } = await bench.run(["why", "--follow"], { out, signal: stop.signal });
    expect(code).toBe(0);
    expect(shown.map((text) => /Fix login|second|third|fourth/.exec(text)?.[0])).toEqual([
      "Fix login",
      "second",
      "third",
      "fourth",
    ]);
  });
});

test("every decision has words of its own", () => {
  const sentences = wordedDecisions.map(({ outcome, reason }) => decisionWords(outcome, reason));
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const sentence of sentences) expect(sentence).not.toMatch(/-(ask|work|unknown|queued)\b/);
});

test("a code that is a word of the language's own objects is still only a code", () => {
  expect(decisionWords("constructor", "toString")).toBe("constructor: toString");
});
