import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configFileSource } from "../../../src/server/config/file-source.ts";
import type { ConfigPatch } from "../../../src/server/config/patch.ts";
import { createConfigReader } from "../../../src/server/config/reader.ts";
import type { SettingChange } from "../../../src/server/config/save.ts";
import { defaultConfig } from "../../../src/server/config/schema.ts";
import { listSettings } from "../../../src/server/config/settings.ts";
import { valueAt } from "../../../src/server/config/show.ts";
import { createConfigStore } from "../../../src/server/config/store.ts";
import { configSet } from "../../../src/server/tools/config-set.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

/** What the model may set, as it was decided. A setting that is on neither list is refused, and fails here until somebody decides. */
const open = [
  "locale",
  ...["mode", "voice", "sound"].map((key) => `notifications.${key}`),
  ...["pause", "done", "error"].flatMap((kind) =>
    ["mode", "settleMs", "whenFocused"].map((key) => `alerts.${kind}.${key}`),
  ),
  ...["work", "delegated", "minSeconds"].map((key) => `alerts.done.${key}`),
  "alerts.error.stuckAfterSeconds",
  "alerts.detail",
  "alerts.sound",
  ...["enabled", "suppress", "idleSeconds", "leaveSeconds", "unseenSeconds", "maxTerminals"].map(
    (key) => `alerts.focus.${key}`,
  ),
  "alerts.quietHours",
  "alerts.exclude",
  "alerts.reminder.afterSeconds",
  "alerts.reminder.times",
];
const closed = ["alerts.pause.actions", "alerts.terminal", "alerts.push"];

const target = { type: "ntfy", url: "https://ntfy.example.org", topic: "mine", actions: true };
const written = {
  alerts: { pause: { mode: "both", actions: true }, push: [target], terminal: "never", sound: "complete" },
  locale: "de",
};

const folder = tempFolders();
function setUp(config: object | undefined = written) {
  const path = join(folder(), "config.json");
  if (config !== undefined) writeFileSync(path, `// by hand\n${JSON.stringify(config)}\n`);
  const read = configFileSource(path);
  const told: (SettingChange & { sessionID: string })[] = [];
  const store = createConfigStore({ path, read, reader: createConfigReader({ log: () => {} }) });
  const tool = configSet({
    config: store,
    changed: (changes, sessionID) => void told.push(...changes.map((change) => ({ ...change, sessionID }))),
  });
  async function set(args: unknown): Promise<string> {
    await store.look();
    return tool.run(args, { sessionID: "ses_model" });
  }
  return { path, told, set, text: () => (existsSync(path) ? readFileSync(path, "utf8") : undefined) };
}

const patchOf = ([key = "", ...rest]: readonly string[], value: unknown): ConfigPatch => ({
  [key]: rest.length === 0 ? value : patchOf(rest, value),
});

/** JSON, so that a key such as `__proto__` is one. */
const json = (text: string): unknown => JSON.parse(text);

const settings = listSettings().map(({ path }) => path);
const isOpen = (path: readonly string[]) => open.includes(path.join("."));
const sections = [
  ...new Set(settings.flatMap((path) => path.slice(0, -1).map((_, at) => path.slice(0, at + 1).join(".")))),
];

/** Values of every kind, and what stands there by default: a refusal does not depend on the value. */
const values = (path: readonly string[]): unknown[] => [
  ...["", "x", 0, 1, true, false, null, [], [null], {}, [target], { push: [target] }, { "0": target }],
  valueAt(defaultConfig, path) ?? "default",
];

async function expectRefused(args: unknown, ...names: string[]) {
  for (const config of [written, undefined, {}]) {
    const { set, text, told } = setUp(config);
    const before = text();
    const answer = await set(args);
    expect(answer, JSON.stringify(args)).toMatch(/^\[failed\] nothing was changed: /);
    for (const name of names) expect(answer, JSON.stringify(args)).toContain(name);
    expect({ text: text(), told }, JSON.stringify(args)).toEqual({ text: before, told: [] });
  }
}

test("every setting there is was decided about: the model may set it, or it may not", () => {
  expect(settings.map((path) => path.join(".")).sort()).toEqual([...open, ...closed].sort());
});

describe.each(settings.filter((path) => !isOpen(path)).map((path) => [path.join("."), path] as const))(
  "%s",
  (key, path) => {
    test("is refused by name with every value, and the person's command is told", async () => {
      for (const value of values(path))
        await expectRefused(patchOf(path, value), key, `beckon config set ${key} <value>`);
    });

    test("is refused beside what is allowed, which then does not change either", async () => {
      for (const value of values(path)) {
        const args = patchOf(path, value);
        await expectRefused({ ...args, locale: "en", notifications: { mode: "voice" } }, key);
      }
    });
  },
);

test.each(sections)(
  "the section %s cannot be replaced by anything, nor taken out with what is closed in it",
  async (key) => {
    const path = key.split(".");
    for (const value of ["", "x", 0, false, [], [target]]) {
      if (path.length === 1 && value === "") continue; // an empty argument is one that was not given
      await expectRefused(patchOf(path, value), path.at(-1) ?? "");
    }
    const isAllOpen = settings.filter((setting) => setting.join(".").startsWith(`${key}.`)).every(isOpen);
    if (path.length > 1 && !isAllOpen) await expectRefused(patchOf(path, null), `${key}.`);
  },
);

test("a section of which everything is open goes as a whole", async () => {
  const { set, told, text } = setUp({ alerts: { focus: { enabled: false, idleSeconds: 5 }, push: [target] } });
  expect(await set({ alerts: { focus: null } })).toMatch(/^\[saved\]/);
  expect(text()).toContain("ntfy.example.org");
  expect(told).toEqual([
    { key: "alerts.focus.enabled", value: null, sessionID: "ses_model" },
    { key: "alerts.focus.idleSeconds", value: null, sessionID: "ses_model" },
  ]);
});

test.each([
  '{"alerts":{"__proto__":{"push":[]}}}',
  '{"alerts":{"__proto__":{"pause":{"actions":true}}}}',
  '{"alerts":{"constructor":{"prototype":{"push":[]}}}}',
  '{"alerts":{"prototype":{}}}',
  '{"alerts":{"pause":{"__proto__":{"actions":true}}}}',
  '{"alerts":{"pause.actions":true}}',
  '{"alerts":{"pause.mode":"none"}}',
  '{"alerts":{"":{"push":[]}}}',
  '{"alerts":{"push\\u0000":[]}}',
  '{"alerts":{"Push":[]}}',
  '{"alerts":{"pause":{"Actions":true}}}',
  '{"notifications":{"alerts":{"push":[]}}}',
  '{"__proto__":{"alerts":{"push":[]}}}',
  '{"alerts.push":[]}',
  '{"push":[]}',
  '{"projects":{"*":{"alerts":{"push":[]}}}}',
  '{"alerts":{"command":[{"run":["sh","-c","id"]}]}}',
  '{"alerts":{"tools":["chat"]}}',
  '{"alerts":{"exclude":{"push":[]}}}',
  '{"alerts":{"quietHours":[{"from":"00:00","to":"24:00","push":[]}]}}',
])("%s is refused and changes nothing", async (text) => {
  await expectRefused(json(text));
});

test.each(settings.filter(isOpen).map((path) => [path.join("."), path] as const))(
  "%s may be set, and taken back to its default",
  async (key, path) => {
    const { set, told } = setUp({});
    const value = given[key] ?? "both";
    expect(await set(patchOf(path, value))).toMatch(/^\[saved\]/);
    expect(told.splice(0)).toEqual([{ key, value, sessionID: "ses_model" }]);
    if (path.length === 1) return; // an argument that is null was not given
    expect(await set(patchOf(path, null))).toMatch(/^\[saved\]/);
    expect(told).toEqual([{ key, value: null, sessionID: "ses_model" }]);
  },
);

const given: Record<string, unknown> = {
  locale: "en",
  "notifications.voice": "Anna",
  "notifications.sound": "Submarine",
  ...Object.fromEntries(["pause", "done", "error"].map((kind) => [`alerts.${kind}.settleMs`, 7])),
  ...Object.fromEntries(["pause", "done", "error"].map((kind) => [`alerts.${kind}.whenFocused`, "deliver"])),
  "alerts.done.work": "any",
  "alerts.done.delegated": "alert",
  "alerts.done.minSeconds": 7,
  "alerts.error.stuckAfterSeconds": 7,
  "alerts.detail": "none",
  "alerts.sound": "message-new-instant",
  "alerts.focus.enabled": false,
  "alerts.focus.suppress": "all",
  "alerts.focus.idleSeconds": 7,
  "alerts.focus.leaveSeconds": 7,
  "alerts.focus.unseenSeconds": 7,
  "alerts.focus.maxTerminals": 7,
  "alerts.quietHours": [{ from: "22:00", to: "07:00" }],
  "alerts.exclude": ["scratch*"],
  "alerts.reminder.afterSeconds": 7,
  "alerts.reminder.times": 7,
};

test.each([
  "/tmp/a.wav",
  "~/a.wav",
  "./a.wav",
  "../a.wav",
  ".a.wav",
  "a/b.wav",
  "C:\\a.wav",
  "\\\\server\\share\\a.wav",
  "a\u0000b",
  "-x",
])("a sound is given by its name: %j is refused", async (sound) => {
  await expectRefused({ alerts: { sound } }, "alerts.sound: expected a sound's name", "beckon config set alerts.sound");
  await expectRefused({ notifications: { sound } }, "notifications.sound: expected a sound's name");
});

test("one line is told a changed setting, and none for what stood there already", async () => {
  const { set, told } = setUp();
  await set({ alerts: { pause: { mode: "both", settleMs: 5 }, exclude: ["a*"] }, locale: "en" });
  expect(told).toEqual([
    { key: "locale", value: "en", sessionID: "ses_model" },
    { key: "alerts.pause.settleMs", value: 5, sessionID: "ses_model" },
    { key: "alerts.exclude", value: ["a*"], sessionID: "ses_model" },
  ]);
  await set({ locale: "en" });
  expect(told).toHaveLength(3);
});
