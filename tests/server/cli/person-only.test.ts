import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTerminal } from "../../rig/host/terminal.ts";
import { needs } from "../../rig/needs.ts";
import { buildCommand, runIn } from "./built-command.ts";
import { createBench } from "./command-bench.ts";

const push = JSON.stringify([{ type: "ntfy", url: "https://ntfy.example.org", topic: "mine", actions: true }]);
const closed = [
  ["alerts.push", push],
  ["alerts.push", "null"],
  ["alerts.pause.actions", "true"],
  ["alerts.terminal", "never"],
  ["alerts.pause", '{ "actions": true }'],
  ["alerts", `{ "push": ${push} }`],
  ["alerts", "null"],
] as const;

/** The settings, and how to read them back. */
function setUp(env: Record<string, string> = {}) {
  const bench = createBench(env);
  const path = join(bench.root, "config.json");
  writeFileSync(path, '{\n  // mine\n  "alerts": { "push": [], "terminal": "auto" }\n}\n');
  Object.assign(bench.env, { BECKON_CONFIG: path });
  return { bench, text: () => readFileSync(path, "utf8") };
}

describe("a setting that can grant something", () => {
  test.each(closed)("%s %s is set by a person at a terminal alone", async (key, value) => {
    const { bench, text } = setUp();
    using _ = bench;
    const before = text();
    const refused = await bench.run(["config", "set", key, value], { atTerminal: false });
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.complaints).toMatch(/^beckon: alerts\.(push|pause\.actions|terminal)\b.* only set by a person at a/);
    expect(text()).toBe(before);
    expect((await bench.run(["config", "set", key, value])).code).toBe(0);
  });

  test.each(["OPENCODE", "AGENT", "CLAUDECODE"])(
    "is not set from inside an agent (%s), terminal or not",
    async (name) => {
      for (const given of ["1", "0", ""]) {
        const { bench, text } = setUp({ [name]: given });
        using _ = bench;
        const before = text();
        const { code, complaints } = await bench.run(["config", "set", "alerts.push", push]);
        expect({ code, text: text() }).toEqual({ code: 1, text: before });
        expect(complaints).toContain(`${name} is set`);
        expect(complaints).not.toContain("ntfy.example.org");
      }
    },
  );

  test("comes in by an import no more than by hand, and the rest of the import stays out with it", async () => {
    const { bench, text } = setUp();
    using _ = bench;
    const theirs = join(bench.root, "theirs.json");
    writeFileSync(
      theirs,
      JSON.stringify({ enableWebhook: true, webhookUrl: "https://hook.example.org/a", idleNudge: 1 }),
    );
    const words = ["config", "import", "smart-voice-notify", "--from", theirs];
    const before = text();
    const refused = await bench.run(words, { atTerminal: false });
    expect({ code: refused.code, text: text() }).toEqual({ code: 1, text: before });
    expect(refused.complaints).toContain("alerts.push: only set by a person at a terminal");
    expect((await bench.run(words)).code).toBe(0);
    expect(text()).toContain("hook.example.org");
  });
});

test("what grants nothing is set from scripts and agents as before", async () => {
  const { bench } = setUp({ OPENCODE: "1" });
  using _ = bench;
  for (const [key, value] of [
    ["alerts.done.mode", "both"],
    ["alerts.exclude", '["scratch*"]'],
    ["alerts.focus", '{ "idleSeconds": 5 }'],
    ["locale", "de"],
  ] as const)
    expect((await bench.run(["config", "set", key, value], { atTerminal: false })).code).toBe(0);
});

test("a key nobody knows is named as before, whoever types it", async () => {
  const { bench } = setUp();
  using _ = bench;
  const { code, complaints } = await bench.run(["config", "set", "alerts.psh", "1"], { atTerminal: false });
  expect({ code, complaints }).toMatchObject({
    code: 2,
    complaints: expect.stringContaining('unknown key "alerts.psh"'),
  });
});

needs("python3")("the command as it is shipped", () => {
  let command: Awaited<ReturnType<typeof buildCommand>>;
  let home: string;
  beforeAll(async () => {
    command = await buildCommand();
    home = mkdtempSync(join(tmpdir(), "beckon-person-"));
  });
  afterAll(() => {
    command?.remove();
    rmSync(home, { recursive: true, force: true });
  });
  const config = () => join(home, ".config/opencode-beckon/config.json");
  const words = () => [command.main, "config", "set", "alerts.pause.actions", "true"];
  const env = (more: Record<string, string> = {}) => ({ PATH: process.env.PATH ?? "", HOME: home, ...more });

  test("refuses without a terminal, and in one that an agent has opened", async () => {
    const piped = await runIn(home, env(), process.execPath, words());
    expect(piped).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("alerts.pause.actions: only set"),
    });
    const terminal = await openTerminal([process.execPath, ...words()], { cwd: home, env: env({ CLAUDECODE: "1" }) });
    expect((await terminal.exited).code).toBe(1);
    expect(existsSync(config())).toBe(false);
  });

  test.each(["<", ">"])("refuses when one end is no terminal (%s)", async (arrow) => {
    const line = words()
      .map((word) => `'${word}'`)
      .join(" ");
    const shell = ["/bin/sh", "-c", `'${process.execPath}' ${line} ${arrow} /dev/null`];
    const terminal = await openTerminal(shell, { cwd: home, env: env() });
    expect((await terminal.exited).code).toBe(1);
    expect(existsSync(config())).toBe(false);
  });

  test("obeys a person at a terminal", async () => {
    const terminal = await openTerminal([process.execPath, ...words()], { cwd: home, env: env() });
    expect((await terminal.exited).code).toBe(0);
    expect(readFileSync(config(), "utf8")).toContain('"actions": true');
  });
});
