import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitFor } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { startSmallDisk } from "../../rig/small-disk.ts";
import { buildCommand, runIn } from "./built-command.ts";
import { createBench, repository } from "./command-bench.ts";

let built: Awaited<ReturnType<typeof buildCommand>>;
beforeAll(async () => {
  built = await buildCommand();
});
afterAll(() => built?.remove());

const node = process.execPath;
const beckon = (bench: ReturnType<typeof createBench>, ...args: string[]) =>
  runIn(bench.cwd, bench.env, node, [built.main, ...args]);

describe("the command as it is shipped", () => {
  test("ends with the code of what it did, results on stdout and complaints on stderr", async () => {
    using bench = createBench();
    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    expect(await beckon(bench, "--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(await beckon(bench, "status")).toMatchObject({ code: 1, stderr: "" });
    expect(await beckon(bench, "nope")).toMatchObject({ code: 2, stdout: "" });
    expect(await beckon(bench, "mute", "30m")).toMatchObject({ code: 0, stderr: "" });
  });

  test("loads what a command needs only when it is called", async () => {
    using bench = createBench();
    const trace = join(repository, "tests/traces/v1/O01.jsonl");
    const { code, stdout } = await beckon(bench, "replay", trace, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ outcome: "delivered" });
    const text = readFileSync(built.main, "utf8");
    for (const late of ["parseTree", "dbus-native", 'from "ws"']) expect(text).not.toContain(late);
  });

  test("is quiet when the reader of a pipe has had enough", async () => {
    using bench = createBench();
    const child = spawn("sh", ["-c", `'${node}' '${built.main}' config schema | head -c 1; echo " ended"`], {
      cwd: bench.cwd,
      env: { ...bench.env, PATH: process.env.PATH },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = { out: "", err: "" };
    child.stdout.on("data", (text) => {
      printed.out += String(text);
    });
    child.stderr.on("data", (text) => {
      printed.err += String(text);
    });
    await new Promise((closed) => child.once("close", closed));
    expect(printed).toEqual({ out: "{ ended\n", err: "" });
  });

  test("prints no colour into a pipe", async () => {
    using bench = createBench();
    for (const args of [["--help"], ["doctor"], ["install", "--dry-run"]])
      expect((await beckon(bench, ...args)).stdout).not.toContain("\u001b");
  });

  test("Ctrl-C ends what stays, with 0", async () => {
    using bench = createBench();
    const child = spawn(node, [built.main, "status", "--watch"], {
      cwd: bench.cwd,
      env: bench.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    await new Promise((shown) => child.stdout.once("data", shown));
    child.kill("SIGINT");
    expect(await new Promise((closed) => child.once("close", (code) => closed(code)))).toBe(0);
  });

  test("Ctrl-C ends everything else at once, and nothing is written any more", async () => {
    using bench = createBench();
    bench.program("opencode", `: > "$HOME/asked"; exec /bin/sleep 600`);
    const child = spawn(node, [built.main, "install"], {
      cwd: bench.cwd,
      env: bench.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    await waitFor("the opencode that is asked", () => existsSync(join(bench.home, "asked")) || undefined);
    child.kill("SIGINT");
    expect(await new Promise((closed) => child.once("exit", (_, signal) => closed(signal)))).toBe("SIGINT");
    expect(existsSync(join(bench.home, ".config/opencode"))).toBe(false);
  });

  test("what cannot be written is a finding that says why", async () => {
    using bench = createBench();
    const folder = join(bench.home, "small");
    using disk = startSmallDisk(folder, ["schema.json"]);
    disk.fill();
    const env = { ...bench.env, PATH: process.env.PATH };
    const line = `'${node}' '${built.main}' config schema > '${folder}/schema.json'`;
    expect(await runIn(bench.cwd, env, "sh", ["-c", line])).toEqual({
      code: 1,
      stdout: "",
      stderr: "beckon: not everything was written: the disk is full\n",
    });
  });

  test("without a home folder it says so in one line", async () => {
    using bench = createBench();
    for (const HOME of ["", "somewhere/relative"])
      expect(await runIn(bench.cwd, { ...bench.env, HOME }, node, [built.main, "mute", "5m"])).toEqual({
        code: 2,
        stdout: "",
        stderr: "beckon: no home folder: set HOME to the whole path of a folder of yours\n",
      });
    expect(bench.snapshot()).toEqual({ project: "755 folder" });
  });

  test("in a folder that was deleted it says so in one line", async () => {
    using bench = createBench();
    const gone = join(bench.home, "gone");
    mkdirSync(gone);
    const env = { ...bench.env, PATH: process.env.PATH };
    const line = `rmdir '${gone}' && exec '${node}' '${built.main}' install`;
    expect(await runIn(gone, env, "sh", ["-c", line])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "beckon: the folder you are in does not exist any more; go to another one\n",
    });
  });
});

needs("python3")("the command in a terminal", () => {
  /** Runs it on a pty, as a terminal would. */
  const inTerminal = async (bench: ReturnType<typeof createBench>, environment: Record<string, string>) => {
    const script = "import pty, sys, os; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    const env = { ...bench.env, PATH: process.env.PATH, TERM: "xterm-256color", ...environment };
    return (await runIn(bench.cwd, env, "python3", ["-c", script, node, built.main, "--help"])).stdout;
  };

  test("has colours, unless NO_COLOR or a dumb terminal says otherwise", async () => {
    using bench = createBench();
    expect(await inTerminal(bench, {})).toContain("\u001b[1mSet up:\u001b[22m");
    expect(await inTerminal(bench, { NO_COLOR: "1" })).not.toContain("\u001b");
    expect(await inTerminal(bench, { TERM: "dumb" })).not.toContain("\u001b");
  });
});
