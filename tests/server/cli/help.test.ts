import { describe, expect, test } from "vitest";
import { createBench } from "./command-bench.ts";

const commands = [
  [],
  ["install"],
  ["uninstall"],
  ["doctor"],
  ["test"],
  ["config"],
  ["config", "init"],
  ["config", "get"],
  ["config", "set"],
  ["config", "check"],
  ["config", "path"],
  ["config", "schema"],
  ["config", "import"],
  ["status"],
  ["why"],
  ["mute"],
  ["record"],
  ["replay"],
];

describe("the help", () => {
  test.each(commands.map((words) => [["beckon", ...words].join(" "), words] as const))(
    "of %s",
    async (title, words) => {
      using bench = createBench();
      const { code, out, complaints } = await bench.run([...words, "--help"]);
      expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
      await expect(out).toMatchFileSnapshot(`help/${title.replaceAll(" ", "-")}.txt`);
      for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
    },
  );

  test("names every command there is", async () => {
    using bench = createBench();
    const { out } = await bench.run([]);
    for (const [name, inner] of commands)
      if (name !== undefined && inner === undefined) expect(out).toContain(`\n  ${name} `);
  });

  test.each([[[]], [["config"]]])("is shown where a command is missing: beckon %s", async (words) => {
    using bench = createBench();
    const { code, out, complaints } = await bench.run(words);
    expect({ code, complaints }).toEqual({ code: 0, complaints: "" });
    expect(out).toContain("Usage: beckon");
  });
});

describe("bad usage", () => {
  test.each([
    [["instal"], "unknown command 'instal'. Did you mean install?"],
    [["why", "--lats", "3"], "unknown option '--lats'. Did you mean --last?"],
    [["why", "--last", "0"], "Expected a whole number above 0."],
    [["install", "--line", "3"], "Allowed choices are 1, 2, auto."],
    [["install", "--global", "--project"], "option '--global' cannot be used with option '--project'"],
    [["test", "finished"], "Allowed choices are pause, done, error."],
    [["config", "import", "other"], "Allowed choices are opencode-notifier, opencode-notify, smart-voice-notify."],
    [["config", "set", "alerts.done.mode"], "missing required argument 'value'"],
    [["config", "set", "alerts.done.mode", "loud"], 'expected one of "both", "banner", "voice", "none"'],
    [["config", "get", "alerts.don"], "unknown key"],
    [["mute", "soon"], "expected a time such as 30m"],
    [["record"], "missing required argument 'file'"],
    [["replay"], "missing required argument 'file'"],
    [["status", "now"], "too many arguments for 'status'"],
  ])("%j is answered with 2 and one clear line", async (words, says) => {
    using bench = createBench();
    const { code, out, complaints } = await bench.run(words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(complaints).toMatch(/^beckon: [^\n]+\n$/);
    expect(complaints).toContain(says);
  });
});

test("our own bug ends with 70 and says how to report it", async () => {
  using bench = createBench();
  const broken = () => Promise.reject(new TypeError("x is not\na function"));
  const { code, complaints } = await bench.run(["doctor"], {
    runProgram: broken,
    place: { env: { ...bench.env, TMUX: "x" }, platform: "linux", home: bench.home },
  });
  expect(code).toBe(70);
  expect(complaints).toBe(
    'beckon: this is a bug in opencode-beckon 0.1.0 (TypeError: x is not a function); please report it with this line and the output of "beckon doctor --json"\n',
  );
});
