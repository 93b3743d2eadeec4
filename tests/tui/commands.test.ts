import { describe, expect, test } from "vitest";
import type { Question } from "../../src/tui/ask-relay.ts";
import { createCommands } from "../../src/tui/commands.ts";
import type { Answer } from "../../src/tui/plugin-calls.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";

function setUp(answers: Answer[]) {
  const { host, did } = createFakeTerminal();
  const asked: Question[] = [];
  const commands = createCommands({
    host,
    askAll: async (question) => {
      asked.push(question);
      return answers;
    },
    askOne: async (question) => {
      asked.push(question);
      return answers[0];
    },
    report: () => ({ focus: "focused", view: { type: "session", sessionID: "ses_a" }, idleMs: 3_000 }),
  });
  const run = async (name: string) => {
    commands.find((command) => command.name === name)?.run();
    await new Promise(setImmediate);
  };
  return { did, asked, run, commands };
}

describe("a command in the terminal", () => {
  test("shows what every server part says, and what this terminal tells them", async () => {
    const { run, did } = setUp([
      { ok: true, status: { lines: ["one", "two"] } },
      { ok: true, status: null },
    ]);
    await run("beckon.status");
    expect(did).toEqual([
      [
        "show",
        "Beckon",
        "one",
        "two",
        "A server part answers, without words.",
        "",
        "This terminal: focused, shows ses_a, last sign of life 3 s ago",
      ],
    ]);
  });

  test("mutes for the chosen time and says what holds now", async () => {
    const { run, did, asked } = setUp([{ ok: true, text: "muted until noon" }]);
    await run("beckon.mute");
    expect(did[0]?.slice(0, 2)).toEqual(["choose", "Mute alerts"]);
    expect(asked).toEqual([{ type: "mute", ms: 3_600_000 }]);
    expect(did[1]).toEqual(["toast", "Beckon", "muted until noon"]);
    await run("beckon.unmute");
    expect(asked.at(-1)).toEqual({ type: "mute", ms: 0 });
  });

  test("sends one test alert, not one for each server", async () => {
    const { run, did, asked } = setUp([{ ok: true, text: "banner: accepted" }]);
    await run("beckon.test");
    expect(asked).toEqual([{ type: "test" }]);
    expect(did).toEqual([["toast", "Beckon", "banner: accepted"]]);
  });

  test("says so when no server part answers", async () => {
    const { run, did, commands } = setUp([]);
    for (const { name } of commands) await run(name);
    const texts = did.filter(([what]) => what !== "choose").map((line) => line[2]);
    expect(texts).toHaveLength(4);
    for (const text of texts) expect(text).toMatch(/^No server part of beckon answers/);
  });
});
