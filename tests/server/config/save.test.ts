import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../../src/server/config/parse.ts";
import type { ConfigPatch } from "../../../src/server/config/patch.ts";
import { saveConfig } from "../../../src/server/config/save.ts";
import { createProgram } from "../files/programs/run-program.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
function setUp(text?: string) {
  const dir = folder();
  const path = join(dir, "config.json");
  if (text !== undefined) writeFileSync(path, text);
  const save = (patch: ConfigPatch) => saveConfig({ path, patch });
  return { dir, path, save, text: () => readFileSync(path, "utf8") };
}

test("a missing file is made, for its owner only, with what was set and nothing else", async () => {
  const dir = folder();
  const path = join(dir, "new/opencode-beckon/config.json");
  const saved = await saveConfig({ path, patch: { alerts: { done: { mode: "voice" } } } });
  expect(saved).toMatchObject({
    ok: true,
    value: { changed: ["alerts"], config: { alerts: { done: { mode: "voice" } } } },
  });
  expect(readFileSync(path, "utf8")).toBe('{\n  "alerts": { "done": { "mode": "voice" } }\n}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(dir, "new/opencode-beckon"))).toEqual(["config.json"]);
});

test("setting one field keeps its siblings, their comments and their order", async () => {
  const { save, text } = setUp(`// mine
{
  "$schema": "./x.json",
  "alerts": {
    "done": { "mode": "voice", "minSeconds": 10 }, // short ones bore me
    /* asks */ "pause": { "mode": "both" },
  },
  "locale": "de", // at home
}
`);
  await save({ alerts: { done: { mode: "banner" } }, notifications: { mode: "voice" } });
  expect(text()).toBe(`// mine
{
  "$schema": "./x.json",
  "alerts": {
    "done": { "mode": "banner", "minSeconds": 10 }, // short ones bore me
    /* asks */ "pause": { "mode": "both" },
  },
  "locale": "de", // at home
  "notifications": { "mode": "voice" },
}
`);
});

test("null takes a key out; undefined says nothing", async () => {
  const { save, text } = setUp('{\n  "locale": "de",\n  "notifications": { "mode": "voice", "voice": "Anna" }\n}\n');
  const saved = await save({ locale: null, notifications: { voice: null, mode: undefined }, alerts: undefined });
  expect(text()).toBe('{\n  "notifications": { "mode": "voice" }\n}\n');
  expect(saved).toMatchObject({ value: { changed: ["locale", "notifications"], config: { locale: "auto" } } });
});

test("what is set already changes nothing and writes nothing", async () => {
  const { path, save } = setUp('{ "locale": "de" }');
  const before = statSync(path);
  expect(await save({ locale: "de", alerts: { done: { mode: null } } })).toMatchObject({ value: { changed: [] } });
  expect(await save({})).toMatchObject({ value: { changed: [] } });
  expect(statSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
});

test("a missing file stays missing when nothing is to be changed", async () => {
  const { path, save } = setUp();
  expect(await save({ notifications: {} })).toMatchObject({ ok: true, value: { changed: [] } });
  expect(existsSync(path)).toBe(false);
});

test("an empty file has nothing to lose and is written", async () => {
  const { save, text } = setUp("\n");
  expect(await save({ locale: "en" })).toMatchObject({ ok: true });
  expect(text()).toBe('{\n  "locale": "en"\n}\n');
});

test.each([
  ['{ "locale": ', "line 1, column 13: expected a value, found the end of the file"],
  ['{ "bannr": 1 }', "bannr (line 1, column 3)"],
  ['{ "locale": "xx" }', 'locale (line 1, column 13): expected one of "auto", "en", "de", "zh", found "xx"'],
  ['{ "locale": "de", "locale": "en" }', "expected each key once"],
])("an invalid file is left alone, with the reason: %s", async (broken, reason) => {
  const { dir, path, save, text } = setUp(broken);
  const saved = await save({ locale: "en" });
  expect(saved).toMatchObject({ ok: false, error: { kind: "invalid-file" } });
  expect(saved.ok ? "" : saved.error.message).toContain(`not overwritten: ${path} has mistakes: `);
  expect(saved.ok ? "" : saved.error.message).toContain(reason);
  expect(text()).toBe(broken);
  expect(readdirSync(dir)).toEqual(["config.json"]);
});

test.each([
  [
    { alerts: { done: { mode: "loud" } } },
    'alerts.done.mode: expected one of "both", "banner", "voice", "none", found "loud"',
  ],
  [
    { alert: {} },
    'alert: expected one of the keys locale, notifications, alerts, found an unknown key; did you mean "alerts"?',
  ],
  [{ alerts: { dnoe: null } }, 'did you mean "done"?'],
  [
    { alerts: { focus: { idleSeconds: -1 } } },
    "alerts.focus.idleSeconds: expected a whole number from 0 to 86400, found -1",
  ],
  [{ alerts: [] }, "alerts: expected an object { … }, found a list"],
])("a wrong change is refused by name and nothing is touched: %j", async (patch, words) => {
  const { dir, save, text } = setUp('{ "locale": "de" }');
  const saved = await save(patch);
  expect(saved).toMatchObject({ ok: false, error: { kind: "bad-patch" } });
  expect(saved.ok ? "" : saved.error.message).toContain(words);
  expect(text()).toBe('{ "locale": "de" }');
  expect(readdirSync(dir)).toEqual(["config.json"]);
});

test("a folder in its place and a place that cannot be written are said by name", async () => {
  const dir = folder();
  mkdirSync(join(dir, "config.json"));
  writeFileSync(join(dir, "file"), "");
  expect(await saveConfig({ path: join(dir, "config.json"), patch: { locale: "en" } })).toEqual({
    ok: false,
    error: { kind: "invalid-file", message: `not overwritten: ${dir}/config.json: is a folder, not a file` },
  });
  expect(await saveConfig({ path: join(dir, "file/config.json"), patch: { locale: "en" } })).toMatchObject({
    ok: false,
    error: { kind: "not-written", message: expect.stringContaining("a part of the path is a file, not a folder") },
  });
});

test("a linked file is changed where it really lies", async () => {
  const { dir, path } = setUp('{ "locale": "de" }');
  symlinkSync(path, join(dir, "link.json"));
  await saveConfig({ path: join(dir, "link.json"), patch: { locale: "zh" } });
  expect(readlinkSync(join(dir, "link.json"))).toBe(path);
  expect(readFileSync(path, "utf8")).toBe('{ "locale": "zh" }');
});

test("processes of every runtime that write different keys 200 times each lose nothing", async () => {
  const { dir, path, text } = setUp('{\n  // shared\n  "alerts": { "focus": { "idleSeconds": 77 } }\n}\n');
  const program = await createProgram(new URL("programs/save-many.ts", import.meta.url));
  const keys = new Map([
    ["a", ["done", "settleMs"]],
    ["b", ["error", "stuckAfterSeconds"]],
    ["c", ["focus", "leaveSeconds"]],
  ]);
  const ends = await program.runAll((name) => [path, ...(keys.get(name) ?? []), "200"]);
  await program.remove();
  expect(ends).toEqual([0, 0, 0].map((code) => ({ code, output: "" })));
  const parsed = parseConfig(text());
  expect(parsed).toMatchObject({
    ok: true,
    value: {
      alerts: {
        done: { settleMs: 200 },
        error: { stuckAfterSeconds: 200 },
        focus: { idleSeconds: 77, leaveSeconds: 200 },
      },
    },
  });
  expect(text()).toContain("// shared");
  expect(readdirSync(dir)).toEqual(["config.json"]);
}, 120_000);
