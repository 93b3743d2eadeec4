import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCommand, runIn } from "../built-command.ts";
import { createBench } from "../command-bench.ts";

const file = ".config/opencode/opencode.json";
const tui = ".config/opencode/tui.json";
type Bench = ReturnType<typeof createBench>;

let built: Awaited<ReturnType<typeof buildCommand>>;
let hook: string;
beforeAll(async () => {
  built = await buildCommand();
  hook = join(built.folder, "die-at-step.mjs");
  const entry = fileURLToPath(new URL("programs/die-at-step.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile: hook, platform: "node", format: "esm" });
});
afterAll(() => built?.remove());

/** Runs the shipped command until it is killed before that step on the disk. @returns whether it came to its end */
async function killedAt(step: number, { cwd, env }: Bench, ...args: string[]): Promise<boolean> {
  const died = { ...env, DIE_AT_STEP: String(step) };
  const { code } = await runIn(cwd, died, process.execPath, ["--import", hook, built.main, ...args]);
  return code !== null;
}

const original = '\uFEFF{\r\n\t// mine\r\n\t"model": "x/y", // good\r\n\t"attention": { "enabled": true },\r\n}\r\n';
const install = ["install", "--line", "1", "--native-attention-off"];

function benchWithFiles(): Bench {
  const bench = createBench();
  for (const path of [file, tui]) bench.write(path, original);
  return bench;
}

/** Drafts of a process that died are left for a minute, in case it lives. */
function aMinutePasses(folder: string): void {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, item.name);
    if (item.isDirectory()) aMinutePasses(path);
    else if (item.name.endsWith(".tmp")) utimesSync(path, 0, 0);
  }
}

const isDone = async (bench: Bench, ...args: string[]) => expect(await bench.run(args)).toMatchObject({ code: 0 });

/** Every step there is, until one is beyond the last. */
async function everyStep(at: (step: number) => Promise<boolean>): Promise<number> {
  for (let step = 1; ; step += 2) {
    const ended = await Promise.all([at(step), at(step + 1)]);
    if (ended.includes(true)) return step;
  }
}

describe("a process that is killed at any step", () => {
  test("of install leaves each file as it was or as it should be, and uninstall takes everything back", async () => {
    using whole = benchWithFiles();
    await killedAt(0, whole, ...install);
    const installed = [file, tui].map((path) => [original, whole.read(path)]);
    const steps = await everyStep(async (step) => {
      using bench = benchWithFiles();
      const before = bench.snapshot();
      const ended = await killedAt(step, bench, ...install);
      for (const [at, path] of [file, tui].entries()) expect(installed[at], `step ${step}`).toContain(bench.read(path));
      await isDone(bench, "uninstall");
      for (const path of [file, tui]) expect(bench.read(path), `step ${step}`).toBe(original);
      aMinutePasses(bench.home);
      await isDone(bench, ...install);
      await isDone(bench, "uninstall");
      expect(
        Object.keys(bench.snapshot()).filter((path) => !(path in before) && !path.startsWith(".local")),
        `${step}`,
      ).toEqual([]);
      return ended;
    });
    expect(steps).toBeGreaterThan(10);
  }, 120_000);

  test("of uninstall leaves what uninstall takes back the second time, and nothing besides", async () => {
    const steps = await everyStep(async (step) => {
      using bench = benchWithFiles();
      const before = bench.snapshot();
      await isDone(bench, ...install);
      const ended = await killedAt(step, bench, "uninstall");
      await isDone(bench, "uninstall");
      for (const path of [file, tui]) expect(bench.read(path), `step ${step}`).toBe(original);
      expect(
        Object.keys(bench.snapshot()).filter((path) => /backups\/|install\.json$/.test(path)),
        `${step}`,
      ).toEqual([]);
      aMinutePasses(bench.home);
      await isDone(bench, ...install);
      await isDone(bench, "uninstall");
      expect(Object.keys(bench.snapshot()).filter((path) => !(path in before) && !path.startsWith(".local"))).toEqual(
        [],
      );
      return ended;
    });
    expect(steps).toBeGreaterThan(5);
  }, 120_000);
});

const notes = fc.constantFrom("// a note", "/* another */", '"key"');
const step = fc.oneof(
  fc.record({ kind: fc.constant("install" as const), line: fc.constantFrom("1", "2"), off: fc.boolean() }),
  fc.record({ kind: fc.constant("edit" as const), note: notes, place: fc.constantFrom("start", "end", "list") }),
  fc.record({ kind: fc.constantFrom("uninstall" as const, "lose backups" as const, "empty backups" as const) }),
  fc.record({ kind: fc.constantFrom("lose record" as const, "spoil record" as const) }),
);
const starts = fc.constantFrom(
  original,
  "{}",
  '{ "plugin": [] }',
  '{\n  "plugin": [ /* none yet */ ],\n  "plugins": ["-opencode.notifications"] // off\n}\n',
  '{ "plugin": ["other", ["third", { "a": 1 }]], "theme": "t" }',
);

/** Whatever the person wrote: comments, and every key and entry that is not ours. */
function personsOwn(text: string): { comments: string[]; value: unknown } {
  const comments = [...text.matchAll(/\/\/[^\r\n]*|\/\*.*?\*\//g)].map(([comment]) => comment);
  const value: unknown = parse(text.replace("\uFEFF", ""), [], { allowTrailingComma: true });
  return { comments, value: withoutOurs(value) };
}

function withoutOurs(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { $schema: _, attention: __, ...rest } = Object.fromEntries(Object.entries(value));
  for (const key of ["plugin", "plugins"]) {
    const list: unknown = rest[key];
    if (!Array.isArray(list)) continue;
    const others = list.filter((entry) => entry !== "/opt/opencode-beckon" && entry !== "-opencode.notifications");
    if (others.length === 0) delete rest[key];
    else rest[key] = others;
  }
  return rest;
}

let serial = 0;
function edit(text: string, note: string, place: string): string {
  serial += 1;
  const written = note === '"key"' ? `"key${serial}": ${serial},` : note.replace(/note|another/, `$& ${serial}`);
  if (place === "list" && note !== '"key"' && /"plugins?": \[/.test(text))
    return text.replace(/"plugins?": \[/, (list) => `${list} ${written}\n`);
  if (place === "end" && note !== '"key"') return `${text}\n${written}\n`;
  return text.replace("{", `{ ${written}\n`);
}

function spoil(bench: Bench, kind: string): void {
  const state = join(bench.home, ".local/state/opencode-beckon");
  const backups = (() => {
    try {
      return readdirSync(join(state, "backups")).map((name) => join(state, "backups", name));
    } catch {
      return [];
    }
  })();
  if (kind === "empty backups") for (const path of backups) writeFileSync(path, "{}");
  if (kind === "lose backups") for (const path of backups) writeFileSync(path, Buffer.from([0xff]));
  const record = join(state, "install.json");
  const hasRecord = statSync(record, { throwIfNoEntry: false }) !== undefined;
  if (hasRecord && kind === "spoil record") writeFileSync(record, '{"files":[{"path"');
  if (hasRecord && kind === "lose record") writeFileSync(record, "");
}

test("whatever is installed, edited, lost and uninstalled in whatever order: what the person wrote stays", async () => {
  await fc.assert(
    fc.asyncProperty(starts, fc.array(step, { maxLength: 12 }), async (start, steps) => {
      using bench = createBench();
      bench.write(file, start);
      let own = personsOwn(start);
      for (const one of steps) {
        if (one.kind === "install")
          await bench.run(["install", "--line", one.line, ...(one.off ? ["--native-attention-off"] : [])]);
        else if (one.kind === "uninstall") await bench.run(["uninstall"]);
        else if (one.kind !== "edit") spoil(bench, one.kind);
        else {
          bench.write(file, edit(bench.read(file), one.note, one.place));
          own = personsOwn(bench.read(file));
        }
        expect(personsOwn(bench.read(file)), JSON.stringify(one)).toEqual(own);
      }
      // Twice: what stood there before an installation is there again after it, also an entry that nobody remembers.
      for (const _twice of [1, 2]) await bench.run(["uninstall"]);
      expect(personsOwn(bench.read(file))).toEqual(own);
      expect(bench.read(file)).not.toContain("opencode-beckon");
    }),
    { numRuns: 100 },
  );
}, 120_000);
