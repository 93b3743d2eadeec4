import { expect, test } from "vitest";
import { hasScript, parseScript } from "./script.ts";

const names = (prompt: string) => {
  const script = parseScript(prompt);
  return script.kind === "tools" ? script.rounds.map((round) => round.map((call) => call.name)) : script.kind;
};

test.each([
  ["no keyword at all", "text"],
  ["[plain] hello", "text"],
  ["please [bash echo hi] now", [["bash"]]],
  ["[multi read a.txt|bash echo 2|todo]", [["read"], ["bash"], ["todowrite"]]],
  ["[together bash echo 1|bash echo 2]", [["bash", "bash"]]],
  ["[task {bash echo hi}]", [["task"]]],
  ["[http 500 2]", "http"],
  ["[slow 300 50]", "slow"],
  ["[hang]", "hang"],
])("%j is read as %j", (prompt, expected) => {
  expect(names(prompt)).toEqual(expected);
});

test("a subagent's prompt gets its brackets back", () => {
  const script = parseScript("[task {multi bash echo 1|bash echo 2}]");
  expect(script).toMatchObject({ kind: "tools", rounds: [[{ input: { prompt: "[multi bash echo 1|bash echo 2]" } }]] });
});

test("what is no tool comes after the tools", () => {
  expect(parseScript("[multi bash echo 1|http 500 1]")).toMatchObject({
    kind: "tools",
    after: { kind: "http", status: 500, times: 1 },
  });
});

test("a failure that passes goes on with its steps", () => {
  expect(parseScript("[http 503 2|bash echo hi]")).toMatchObject({
    kind: "http",
    times: 2,
    after: { kind: "tools", rounds: [[{ name: "bash", input: { command: "echo hi" } }]] },
  });
});

test("only a bracket with a known word is a script", () => {
  expect(hasScript("[x] and [bash]")).toBe(true);
  expect(hasScript("[x] and (bash)")).toBe(false);
});
