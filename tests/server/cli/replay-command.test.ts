import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOut } from "../../../src/server/cli/out.ts";
import { replayCommand } from "../../../src/server/cli/replay-command.ts";

let folder = "";
const trace = join(import.meta.dirname, "../../traces/v1/O26.jsonl");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "beckon-replay-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function run(files: string[], { json = false } = {}) {
  const written: string[] = [];
  const complained: string[] = [];
  const code = await replayCommand(
    files,
    { json },
    createOut({
      write: (text) => void written.push(text),
      complain: (text) => void complained.push(text),
      colour: false,
    }),
  );
  return { code, out: written.join(""), complaints: complained.join("") };
}
const parsed = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("--json", () => {
  test("prints one decision a line, in time order, and nothing else", async () => {
    const { code, out, complaints } = await run([trace], { json: true });
    expect([code, complaints]).toEqual([0, ""]);
    const lines = parsed(out);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.map(({ t }) => t)).toEqual(lines.map(({ t }) => t).toSorted((a, b) => a - b));
    for (const line of lines) {
      expect(Object.keys(line).filter((key) => !known.includes(key))).toEqual([]);
      expect(line).toMatchObject({ t: expect.any(Number), alert: expect.any(String), channels: expect.any(Array) });
    }
  });

  const known = ["t", "alert", "sessionID", "requestID", "outcome", "reason", "channels", "title", "message"];

  test("prints the same bytes every time", async () => {
    expect((await run([trace], { json: true })).out).toBe((await run([trace], { json: true })).out);
  });

  test("names the file where there are several", async () => {
    const { code, out } = await run([trace, trace], { json: true });
    expect(code).toBe(0);
    expect(new Set(parsed(out).map((line) => line.file))).toEqual(new Set([trace]));
  });

  test("prints nothing at all for a trace without decisions", async () => {
    const silent = await file("silent.jsonl", '{"t":0,"kind":"meta","format":1,"line":"v1","directory":"/"}\n');
    expect(await run([silent], { json: true })).toEqual({ code: 0, out: "", complaints: "" });
  });
});

describe("a table", () => {
  test("has a row a decision that a person can read", async () => {
    const { code, out } = await run([trace]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ *\d+\.\d{3} s {2}pause +delivered +unattended +ses_S +banner +Fix login: A permission waits for you/m,
    );
  });

  test("nothing in somebody's trace acts on the terminal", async () => {
    const evil = readFileSync(trace, "utf8").replaceAll('"ses_S"', '"ses_\\u001b[2J\\u009b2J\\u202e"');
    const { out } = await run([await file("evil.jsonl", evil)]);
    expect(out).toContain("ses_");
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test("says so when there is nothing", async () => {
    const silent = await file("silent.jsonl", '{"t":0,"kind":"meta","format":1,"line":"v2","directory":"/"}\n');
    expect((await run([silent])).out).toBe("no decisions\n");
  });

  test("has the file's name over it where there are several", async () => {
    const { out } = await run([trace, trace]);
    expect(out.split("\n").filter((line) => line === trace)).toHaveLength(2);
  });
});

describe("what cannot be replayed", () => {
  test("is named with its line and cause, prints nothing, and the others still run", async () => {
    const broken = await file(
      "broken.jsonl",
      '{"t":0,"kind":"meta","format":1,"line":"v1","directory":"/"}\n{"t":0,"kind":"dance"}\n',
    );
    const { code, out, complaints } = await run([broken, trace], { json: true });
    expect(code).toBe(2);
    expect(complaints).toBe(`${broken}:2: unknown kind "dance"\n`);
    expect(parsed(out).every((line) => line.file === trace)).toBe(true);
  });

  test("does not exist, or is a folder", async () => {
    const { code, out, complaints } = await run([join(folder, "nowhere.jsonl"), folder]);
    expect([code, out]).toEqual([2, ""]);
    expect(complaints).toBe(`${join(folder, "nowhere.jsonl")}: does not exist\n${folder}: is a folder, not a file\n`);
  });

  test("is empty", async () => {
    const empty = await file("empty.jsonl", "");
    expect(await run([empty])).toMatchObject({
      code: 2,
      complaints: `${empty}:1: expected a line of kind meta, found an empty file\n`,
    });
  });
});
