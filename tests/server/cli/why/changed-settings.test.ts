import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Decision } from "../../../../src/server/core/decision.ts";
import { createJournal } from "../../../../src/server/journal/journal.ts";
import { isHarmless } from "../../../contract/hostile-texts.ts";
import { createBench } from "../command-bench.ts";

type Change = { key: string; value: unknown };

const decided: Decision = {
  ...{ at: 1, alert: "done", sessionID: "ses_login", outcome: "silent", reason: "mode-none" },
  ...{ channels: [], title: "Fix login" },
};
const moment = Date.parse("2026-01-05T10:00:00Z");

/** A minute between each two lines. */
async function benchWith(lines: readonly (Change | Partial<Decision>)[]) {
  const bench = createBench();
  const stateDir = join(bench.home, ".local/state/opencode-beckon");
  const journal = createJournal({ stateDir, pid: 7, log: () => {} });
  for (const [index, line] of lines.entries()) {
    const when = { wall: moment + index * 60_000 };
    if ("key" in line) journal.appendChange({ ...line, author: "model", sessionID: "ses_model" }, when);
    else journal.append({ ...decided, ...line }, when);
  }
  await journal.flush();
  return bench;
}

const off = { key: "alerts.done.mode", value: "none" };
const told = '; the model set alerts.done.mode to "none" on Mon 5 Jan 2026 at 10:00:00 (session ses_model)';

describe("what the model changed in the settings", () => {
  test("stands among the decisions, and with each one that it silenced", async () => {
    using bench = await benchWith([off, {}, { ...off, value: "both" }, { reason: "no-real-work" }, off, {}]);
    const { out, code } = await bench.run(["why"]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "Mon 5 Jan 2026",
        '  10:00:00  ses_model                     change  the model set alerts.done.mode to "none"',
        `  10:01:00  Fix login                     done    silent: alerts of this kind are switched off${told}`,
        '  10:02:00  ses_model                     change  the model set alerts.done.mode to "both"',
        "  10:03:00  Fix login                     done    silent: the round only answered or wrote todos, no real tool ran",
        '  10:04:00  ses_model                     change  the model set alerts.done.mode to "none"',
        `  10:05:00  Fix login                     done    silent: alerts of this kind are switched off${told.replace("10:00", "10:04")}`,
        "",
      ].join("\n"),
    );
  });

  test("is told with a decision of another session, too, and by its own session's id", async () => {
    using bench = await benchWith([off, {}]);
    expect((await bench.run(["why", "login"])).out).toContain(told);
    expect((await bench.run(["why", "--last", "1"])).out).toContain(told);
    expect((await bench.run(["why", "ses_model"])).out).toContain("change");
  });

  test("is one object a line for programs, and each silenced decision names what was behind it", async () => {
    using bench = await benchWith([off, {}]);
    const lines = (await bench.run(["why", "--json"])).out.trimEnd().split("\n");
    const [change, decision] = lines.map((line): unknown => JSON.parse(line));
    const written = { change: "alerts.done.mode", value: "none", author: "model", sessionID: "ses_model" };
    expect(change).toMatchObject({ ...written, words: 'the model set alerts.done.mode to "none"' });
    expect(decision).toMatchObject({ outcome: "silent", reason: "mode-none", silencedBy: [written] });
  });

  test.each<[Partial<Decision>, Change]>([
    [{ reason: "excluded" }, { key: "alerts.exclude", value: ["*"] }],
    [{ reason: "quiet-hours" }, { key: "alerts.quietHours", value: [{ from: "00:00", to: "23:59" }] }],
    [{ reason: "quiet-hours" }, { key: "alerts.done.mode", value: "voice" }],
    [{ reason: "too-short" }, { key: "alerts.done.minSeconds", value: 86_400 }],
    [{ reason: "no-real-work" }, { key: "alerts.done.work", value: "tools" }],
    [{ reason: "delegated" }, { key: "alerts.done.delegated", value: null }],
    [
      { alert: "pause", reason: "auto-answered" },
      { key: "alerts.pause.settleMs", value: 60_000 },
    ],
    [
      { alert: "pause", outcome: "deferred", reason: "attended" },
      { key: "alerts.pause.whenFocused", value: null },
    ],
    [
      { outcome: "suppressed", reason: "attended" },
      { key: "alerts.focus.suppress", value: "all" },
    ],
    [
      { outcome: "suppressed", reason: "attended" },
      { key: "alerts.focus.enabled", value: true },
    ],
    [
      { outcome: "suppressed", reason: "attended" },
      { key: "alerts.focus.idleSeconds", value: 0 },
    ],
    [
      { outcome: "failed", reason: "no-channel" },
      { key: "alerts.done.mode", value: "voice" },
    ],
  ])("%j names %j", async (decision, change) => {
    using bench = await benchWith([change, decision]);
    const { out } = await bench.run(["why", "login"]);
    expect(out).toContain(`; the model ${change.value === null ? "took" : "set"} ${change.key} `);
  });

  test.each<[Partial<Decision>, Change]>([
    [{ reason: "mode-none" }, { key: "alerts.pause.mode", value: "none" }],
    [{ reason: "mode-none" }, { key: "alerts.done.mode", value: "both" }],
    [{ reason: "synthetic" }, off],
    [{ reason: "excluded" }, { key: "alerts.exclude", value: [] }],
    [{ outcome: "delivered", reason: "unattended", channels: ["banner"] }, off],
    [
      { outcome: "suppressed", reason: "attended" },
      { key: "alerts.focus.enabled", value: false },
    ],
  ])("%j does not name %j", async (decision, change) => {
    using bench = await benchWith([change, decision]);
    expect((await bench.run(["why", "login"])).out).not.toContain("the model");
  });

  test("cannot act on the terminal, whatever it was changed to", async () => {
    using bench = await benchWith([{ key: "alerts.exclude", value: ["\u001b]0;evil\u0007\u202e", "\u009b31m"] }]);
    const { out } = await bench.run(["why"]);
    expect(isHarmless(out), JSON.stringify(out)).toBe(true);
  });

  test("is shown by doctor, with the way back", async () => {
    using bench = await benchWith([off, {}]);
    await bench.run(["config", "set", "alerts.done.mode", "none"]);
    const { out } = await bench.run(["doctor"]);
    expect(out).toContain('the model set alerts.done.mode to "none"');
    expect(out).toContain("beckon config set alerts.done.mode null");
    await bench.run(["config", "set", "alerts.done.mode", "null"]);
    expect((await bench.run(["doctor"])).out).toContain("it is set otherwise by now");
  });
});
