import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  checkConfigFile,
  configPathAnswer,
  configSchemaAnswer,
  getConfig,
  initConfig,
  setConfig,
} from "../../../src/server/cli/config-command.ts";
import { defaultConfig } from "../../../src/server/config/schema.ts";
import { listSettings } from "../../../src/server/config/settings.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
function setUp(text?: string) {
  const path = join(folder(), "config.json");
  if (text !== undefined) writeFileSync(path, text);
  return { path, text: () => readFileSync(path, "utf8") };
}

const plainly = { json: false, secrets: false };
const json = { json: true, secrets: false };

test("init writes a valid file of comments and the schema it points to, for the owner only", async () => {
  const dir = folder();
  const path = join(dir, "new/config.json");
  expect(await initConfig(path)).toMatchObject({ exitCode: 0, text: expect.stringContaining(`Written: ${path}`) });
  expect(readdirSync(join(dir, "new")).sort()).toEqual(["config.json", "config.schema.json"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).toContain('"$schema": "./config.schema.json"');
  expect(readFileSync(join(dir, "new/config.schema.json"), "utf8").trimEnd()).toBe(configSchemaAnswer().text);
  expect(await checkConfigFile(path)).toEqual({ exitCode: 0, text: `${path}: valid` });
});

test("init leaves a file that is there alone", async () => {
  const { path, text } = setUp('{ "locale": "de" }');
  expect(await initConfig(path)).toEqual({ exitCode: 1, text: `${path} is there already; nothing was written` });
  expect(text()).toBe('{ "locale": "de" }');
});

test("init where nothing can be written says so", async () => {
  const { path } = setUp("");
  expect(await initConfig(join(path, "under/config.json"))).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining("nothing was written: "),
  });
});

test("a file made by init can be set and keeps its comments", async () => {
  const { path, text } = setUp();
  await initConfig(path);
  const comments = text()
    .split("\n")
    .filter((line) => line.trim().startsWith("//"));
  expect(await setConfig(path, "alerts.done.mode", "voice")).toEqual({
    exitCode: 0,
    text: `alerts.done.mode = voice\nSaved: ${path}`,
  });
  expect(
    text()
      .split("\n")
      .filter((line) => line.trim().startsWith("//")),
  ).toEqual(comments);
  expect((await getConfig(path, "alerts.done.mode", plainly)).text).toBe("voice");
});

test("get prints a single setting bare, for scripts", async () => {
  const { path } = setUp('{ "alerts": { "exclude": ["tmp*"] }, "notifications": { "voice": "Anna" } }');
  expect(await getConfig(path, "notifications.voice", plainly)).toEqual({ exitCode: 0, text: "Anna" });
  expect((await getConfig(path, "alerts.done.settleMs", plainly)).text).toBe("400");
  expect((await getConfig(path, "alerts.exclude", plainly)).text).toBe('["tmp*"]');
  expect((await getConfig(path, "notifications.sound", plainly)).text).toBe("null");
});

test("get prints a section line by line, and says what is only a default", async () => {
  const { path } = setUp('{ "notifications": { "voice": "Anna" } }');
  expect((await getConfig(path, "notifications", plainly)).text).toBe(
    'notifications.mode = "both" (default)\nnotifications.voice = "Anna"\nnotifications.sound = null (default)',
  );
  expect((await getConfig(path, undefined, plainly)).text.split("\n")).toHaveLength(listSettings().length);
});

test("get --json prints what is in force", async () => {
  const { path } = setUp();
  expect(JSON.parse((await getConfig(path, undefined, json)).text)).toEqual(JSON.parse(JSON.stringify(defaultConfig)));
  expect(JSON.parse((await getConfig(path, "alerts.focus", json)).text)).toEqual(defaultConfig.alerts.focus);
});

test.each([
  [
    "alerts.dnoe",
    'unknown key "alerts.dnoe": alerts has the keys pause, done, error, detail, sound, focus, terminal, quietHours, exclude, reminder, push; did you mean "alerts.done"?',
  ],
  ["voice", 'unknown key "voice": the configuration has the keys locale, notifications, alerts'],
  ["locale.de", 'unknown key "locale.de": locale has no keys below it'],
  ["alerts..mode", 'unknown key "alerts.": alerts has the keys'],
  ["__proto__", 'unknown key "__proto__"'],
])("an unknown key is bad usage: %s", async (key, words) => {
  const { path } = setUp();
  for (const answer of [await getConfig(path, key, plainly), await setConfig(path, key, "x")]) {
    expect(answer).toMatchObject({ exitCode: 2, text: expect.stringContaining(words) });
  }
  expect(existsSync(path)).toBe(false);
});

test.each([
  ["locale", "de", '"de"'],
  ["alerts.done.minSeconds", "30", "30"],
  ["alerts.focus.enabled", "false", "false"],
  ["alerts.sound", "true", "true"],
  ["alerts.sound", "Glass", '"Glass"'],
  ["alerts.exclude", '["tmp*", "x"]', '["tmp*", "x"]'],
  ["notifications.voice", "123", '"123"'],
  ["notifications.voice", '"Anna"', '"Anna"'],
  ["notifications", '{ "mode": "none" }', '{ "mode": "none" }'],
])("set %s %s writes %s", async (key, word, written) => {
  const { path, text } = setUp();
  expect(await setConfig(path, key, word)).toMatchObject({ exitCode: 0 });
  expect(text()).toContain(written);
});

test("set null takes the key out of the file", async () => {
  const { path, text } = setUp('{\n  "locale": "de",\n  "alerts": {}\n}\n');
  expect(await setConfig(path, "locale", "null")).toMatchObject({ exitCode: 0, text: `locale = auto\nSaved: ${path}` });
  expect(text()).toBe('{\n  "alerts": {}\n}\n');
});

test("set to what it is already writes nothing", async () => {
  const { path } = setUp('{ "locale": "de" }');
  expect(await setConfig(path, "locale", "de")).toEqual({
    exitCode: 0,
    text: "locale = de already; nothing was written",
  });
});

test("a wrong value is bad usage, by name; a broken file is a finding and is left alone", async () => {
  const { path } = setUp('{ "locale": "de" }');
  expect(await setConfig(path, "alerts.done.minSeconds", "10s")).toEqual({
    exitCode: 2,
    text: 'alerts.done.minSeconds: expected a whole number from 0 to 86400, found "10s"',
  });
  writeFileSync(path, "{ oops");
  expect(await setConfig(path, "locale", "en")).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining("not overwritten"),
  });
  expect(readFileSync(path, "utf8")).toBe("{ oops");
});

test("check names every mistake as file:line:column", async () => {
  const { path } = setUp('{\n  "bannr": true,\n  "alerts": { "done": { "mode": "loud" } }\n}\n');
  expect(await checkConfigFile(path)).toEqual({
    exitCode: 1,
    text: [
      `${path}:3:33: alerts.done.mode: expected one of "both", "banner", "voice", "none", found "loud"`,
      `${path}:2:3: bannr: expected one of the keys locale, notifications, alerts, found an unknown key`,
      "The whole file is ignored until this is repaired.",
    ].join("\n"),
  });
  expect(await getConfig(path, "locale", plainly)).toMatchObject({
    exitCode: 1,
    text: expect.stringContaining("bannr"),
  });
});

test("check on a missing file or a folder says what it is", async () => {
  const { path } = setUp();
  expect(await checkConfigFile(path)).toEqual({
    exitCode: 0,
    text: `${path}: no such file; the defaults are in force`,
  });
  const dir = folder();
  expect(await checkConfigFile(dir)).toEqual({ exitCode: 1, text: `${dir}: is a folder, not a file` });
});

test("path is the path", () => {
  expect(configPathAnswer("/c/config.json")).toEqual({ exitCode: 0, text: "/c/config.json" });
});
