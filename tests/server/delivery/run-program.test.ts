import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ProgramRun, runProgram } from "../../../src/server/delivery/run-program.ts";
import { hostileTexts } from "../../contract/hostile-texts.ts";
import { createProgramFolder, type ProgramFolder } from "../../fixtures-programs/program-folder.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";
import { childrenOfThisProcess, isAlive } from "./processes.ts";

let folder: ProgramFolder;
beforeEach(() => {
  folder = createProgramFolder({
    record: "record",
    hang: "hang",
    fails: "exit-1",
    flood: "flood",
    "leave-a-child": "leave-a-child",
  });
});
afterEach(() => folder.remove());

const run = (given: Partial<ProgramRun> & { program: string }) =>
  runProgram({ args: [], env: folder.env, deadlineMs: 20_000, ...given });

describe("running a program", () => {
  test("gives what it printed", async () => {
    folder.answers("record", "héllo\n");
    expect(await run({ program: "record" })).toEqual({ ok: true, value: "héllo\n" });
  });

  test("hands it its arguments as they are, and no shell reads them", async () => {
    const texts = Object.values(hostileTexts).flatMap(({ title, body }) => [title, body]);
    const args = texts.map((text) => text.replaceAll("\0", "").replace(/\p{Cs}/gu, "?"));
    expect(await run({ program: "record", args })).toMatchObject({ ok: true });
    expect(folder.calls()[0]?.args).toEqual(args);
    expect(existsSync("pwned")).toBe(false);
  });

  test("hands it a text as its input", async () => {
    expect(await run({ program: "record", args: ["--stdin"], input: "$(id) ü\n" })).toMatchObject({ ok: true });
    expect(folder.calls()[0]?.input).toBe("$(id) ü\n");
  });

  test("says that a program is missing, also without PATH", async () => {
    expect(await run({ program: "absent" })).toMatchObject({ ok: false, error: { kind: "missing" } });
    expect(await run({ program: "sh", env: {} })).toMatchObject({ ok: false, error: { kind: "missing" } });
    expect(await run({ program: "sh", env: { PATH: "" } })).toMatchObject({ ok: false, error: { kind: "missing" } });
  });

  test("does not throw for an argument no program can have", async () => {
    expect(await run({ program: "record", args: ["a\0b"] })).toMatchObject({ ok: false, error: { kind: "missing" } });
  });

  test("tells a failing program's status and first complaint", async () => {
    expect(await run({ program: "fails" })).toEqual({
      ok: false,
      error: { kind: "failed", detail: "exit 1: cannot reach the server" },
    });
  });

  test("kills one that hangs, though it ignores every hint, and leaves no process behind", async () => {
    expect(await run({ program: "hang", deadlineMs: 1_000 })).toMatchObject({ ok: false, error: { kind: "timeout" } });
    const pidFile = join(folder.path, "hang.pid");
    if (existsSync(pidFile)) expect(isAlive(Number(readFileSync(pidFile, "utf8")))).toBe(false);
    expect(childrenOfThisProcess().filter(({ name }) => name === "hang")).toEqual([]);
  });

  test("kills it when it is no longer wanted", async () => {
    const stop = new AbortController();
    const ran = run({ program: "hang", signal: stop.signal });
    await waitUntil("the program to run", () => existsSync(join(folder.path, "hang.pid")));
    stop.abort();
    expect(await ran).toMatchObject({ ok: false, error: { kind: "aborted" } });
  });

  test("does not start what is no longer wanted", async () => {
    expect(await run({ program: "record", signal: AbortSignal.abort() })).toMatchObject({ error: { kind: "aborted" } });
    expect(folder.calls()).toEqual([]);
  });

  test.each(["1", "2"])("kills one that prints without an end to %s, long before its deadline", async (stream) => {
    const ran = await run({
      program: "/bin/sh",
      args: ["-c", `line=$(printf %4000s x); while :; do echo "$line" >&${stream}; done`],
    });
    expect(ran).toEqual({ ok: false, error: { kind: "failed", detail: "killed: it printed more than 16 MiB" } });
    await waitUntil("it to be gone", () => childrenOfThisProcess().every(({ name }) => name !== "sh"));
  });

  test("keeps 64 KiB of what it prints and lets it end", async () => {
    const ran = await run({ program: "flood" });
    expect(ran.ok && ran.value.length).toBe(64 * 1_024);
  });

  test("does not wait for what the program left behind with its pipes", async () => {
    const ran = await run({ program: "leave-a-child" });
    const pid = Number(ran.ok && ran.value);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  test("is not hurt by a program that ends without reading its input", async () => {
    expect(await run({ program: "record", input: "x".repeat(1_000_000) })).toMatchObject({ ok: true });
  });
});
