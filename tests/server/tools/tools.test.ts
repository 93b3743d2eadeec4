import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configFileSource } from "../../../src/server/config/file-source.ts";
import { createConfigReader } from "../../../src/server/config/reader.ts";
import { listSettings } from "../../../src/server/config/settings.ts";
import { createConfigStore } from "../../../src/server/config/store.ts";
import type { Delivery } from "../../../src/server/delivery/channel.ts";
import type { NotifyOutcome, NotifyRequest } from "../../../src/server/delivery/notify.ts";
import { createTools } from "../../../src/server/tools/create-tools.ts";
import { promptSection } from "../../../src/server/tools/prompt-section.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
const taken: Delivery = { ok: true, outlet: "dbus", certainty: "accepted" };
const spoken: Delivery = { ok: true, outlet: "espeak-ng", certainty: "started" };
const broken: Delivery = { ok: false, outlet: "espeak-ng", reason: "unavailable", detail: "not found" };
const tried = (banner: Delivery, voice?: Delivery): NotifyOutcome => ({
  kind: "tried",
  attempts: [
    { channel: "banner", delivery: banner },
    ...(voice === undefined ? [] : [{ channel: "voice" as const, delivery: voice }]),
  ],
});

function setUp(text?: string, outcome: NotifyOutcome = tried(taken)) {
  const path = join(folder(), "config.json");
  if (text !== undefined) writeFileSync(path, text);
  const read = configFileSource(path);
  const requests: NotifyRequest[] = [];
  const told: { key: string; value: unknown; sessionID: string }[] = [];
  const config = createConfigStore({ path, read, reader: createConfigReader({ log: () => {} }) });
  const tools = createTools({
    changed: (changes, sessionID) => void told.push(...changes.map((change) => ({ ...change, sessionID }))),
    config,
    notify: async (request) => {
      requests.push(request);
      return outcome;
    },
    statusText: () => "2 terminals",
  });
  const call = async (name: string, args: unknown) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    await config.look();
    return tool.run(args, { sessionID: "ses_a" });
  };
  return { path, tools, requests, told, call, text: () => readFileSync(path, "utf8") };
}

test("the model sees exactly these four tools, with these arguments", () => {
  expect(
    setUp().tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties), parameters.required]),
  ).toEqual([
    ["beckon_notify_user", ["message", "title", "source", "mode", "voice", "sound"], ["message"]],
    ["beckon_config_get", ["section"], []],
    ["beckon_config_set", ["notifications", "alerts", "locale"], []],
    ["beckon_status", [], []],
  ]);
});

test("the system prompt names every tool and is short", () => {
  for (const { name } of setUp().tools) expect(promptSection).toContain(name);
  expect(promptSection.length).toBeLessThan(800);
});

test("a notification goes out with the configured mode, voice and sound, its source first when spoken", async () => {
  const { call, requests } = setUp(
    '{ "notifications": { "mode": "both", "voice": "Anna", "sound": "Ping" } }',
    tried(taken, spoken),
  );
  expect(await call("beckon_notify_user", { message: "Tests are green", source: "FIX-1" })).toBe(
    "[notified] banner accepted by dbus, voice started by espeak-ng",
  );
  expect(requests).toEqual([
    {
      sessionID: "ses_a",
      mode: "both",
      title: "FIX-1",
      message: "Tests are green",
      spoken: "FIX-1: Tests are green",
      voice: "Anna",
      sound: "Ping",
    },
  ]);
});

test("arguments override the configuration, alerts do not count here", async () => {
  const { call, requests } = setUp(
    '{ "notifications": { "mode": "voice", "voice": "Anna" }, "alerts": { "done": { "mode": "none" } } }',
  );
  await call("beckon_notify_user", {
    message: "m",
    title: "Build",
    source: "CI",
    mode: "banner",
    voice: "Tom",
    sound: "Glass",
  });
  expect(requests).toEqual([
    { sessionID: "ses_a", mode: "banner", title: "Build", message: "m", spoken: "CI: m", voice: "Tom", sound: "Glass" },
  ]);
});

test("without title and source the product's name stands for both", async () => {
  const { call, requests } = setUp();
  await call("beckon_notify_user", { message: "m" });
  expect(requests).toMatchObject([{ title: "opencode", spoken: "opencode: m", mode: "both" }]);
  expect(requests[0]).not.toHaveProperty("voice");
});

test("the same notification twice goes out twice", async () => {
  const { call, requests } = setUp();
  await call("beckon_notify_user", { message: "m" });
  await call("beckon_notify_user", { message: "m" });
  expect(requests).toHaveLength(2);
});

test("with mode none nothing is sent, whatever the model asks for, and the answer says why", async () => {
  const { call, requests, path } = setUp('{ "notifications": { "mode": "none" } }');
  for (const args of [{ message: "m" }, { message: "m", mode: "banner" }]) {
    expect(await call("beckon_notify_user", args)).toBe(`[skipped] notifications.mode is "none" in ${path}`);
  }
  expect(requests).toEqual([]);
});

test.each<[string, NotifyOutcome, string]>([
  [
    "one of two",
    tried(taken, broken),
    "[notified] banner accepted by dbus; failed: voice (espeak-ng: unavailable, not found)",
  ],
  ["none", tried(broken), "[failed] banner (espeak-ng: unavailable, not found)"],
  ["nobody asked", { kind: "tried", attempts: [] }, "[failed] no channel could be asked"],
  ["no such platform", { kind: "unsupported", platform: "freebsd" }, "[unsupported] nothing here can notify (freebsd)"],
])("the answer is honest about %s", async (_case, outcome, words) => {
  expect(await setUp(undefined, outcome).call("beckon_notify_user", { message: "m" })).toBe(words);
});

test.each<[unknown, string]>([
  [{}, "message: expected text, found nothing"],
  [undefined, "message: expected text, found nothing"],
  [{ message: "  " }, "message: expected text, found nothing"],
  [{ message: 5 }, "message: expected text, found a number"],
  [{ message: "m", mode: "none" }, 'mode: expected one of "both", "banner", "voice", found "none"'],
  [{ message: "m", volume: 1 }, '"volume": no such argument; there are message, title, source, mode, voice, sound'],
  [
    { message: "m", constructor: 1 },
    '"constructor": no such argument; there are message, title, source, mode, voice, sound',
  ],
  ["m", "expected an object, found text"],
  [["m"], "expected an object, found a list"],
])("%j is answered in words and sends nothing", async (args, words) => {
  const { call, requests } = setUp();
  expect(await call("beckon_notify_user", args)).toBe(`[failed] nothing was sent: ${words}`);
  expect(requests).toEqual([]);
});

test("null and empty text count as not given", async () => {
  const { call, requests } = setUp();
  await call("beckon_notify_user", { message: "m", title: null, source: "", mode: null, voice: " ", sound: undefined });
  expect(requests).toEqual([
    { sessionID: "ses_a", mode: "both", title: "opencode", message: "m", spoken: "opencode: m" },
  ]);
});

test("config_get shows the path, each value, what is unset and what it takes", async () => {
  const { call, path } = setUp('{ "locale": "de" }');
  expect(await call("beckon_config_get", { section: "locale" })).toBe(
    `File: ${path}\nlocale = "de"; takes one of "auto", "en", "de", "zh"`,
  );
  const all = await call("beckon_config_get", {});
  expect(all.split("\n")).toHaveLength(1 + listSettings().length);
  expect(all).toContain('alerts.done.mode = unset (default: "banner"); takes one of "both", "banner", "voice", "none"');
});

test("config_get says when the file is not in force, and which section does not exist", async () => {
  const { call, path } = setUp('{ "bannr": true }');
  expect(await call("beckon_config_get", { section: "locale" })).toContain(
    `File: ${path}\nThe file is not in force until this is repaired: bannr (line 1, column 3)`,
  );
  expect(await call("beckon_config_get", { section: "alert" })).toContain('[failed] unknown key "alert"');
});

test("config_set merges field by field, shows the changed sections and the path", async () => {
  const { call, path, text } = setUp('{\n  // mine\n  "alerts": { "done": { "minSeconds": 5 } }\n}\n');
  const answer = await call("beckon_config_set", {
    alerts: { done: { mode: "both" } },
    notifications: {},
    locale: "de",
  });
  expect(text()).toBe(
    '{\n  // mine\n  "alerts": { "done": { "minSeconds": 5, "mode": "both" } },\n  "locale": "de"\n}\n',
  );
  expect(answer.split("\n")[0]).toBe(`[saved] ${path}`);
  expect(answer).toContain('alerts.done.mode = "both"\n');
  expect(answer).toContain("alerts.done.minSeconds = 5\n");
  expect(answer).toContain('locale = "de"');
  expect(answer).not.toContain("notifications.");
});

test("config_set with nothing to change says so, shows how it stands and writes nothing", async () => {
  const { call, path } = setUp();
  const first = await call("beckon_config_set", {});
  expect(first).toMatch(/^Nothing to change: .*\nlocale = unset/);
  expect(first).toContain("alerts.push = unset");
  expect(await call("beckon_config_set", { notifications: { mode: null } })).toContain("notifications.mode = unset");
  expect(existsSync(path)).toBe(false);
});

test.each<[unknown, string]>([
  [{ alerts: { dnoe: { mode: "both" } } }, 'did you mean "done"?'],
  [
    { notifications: { mode: "loud" } },
    'notifications.mode: expected one of "both", "banner", "voice", "none", found "loud"',
  ],
  [{ notifications: "none" }, 'notifications: expected an object, found "none"'],
  [{ mode: "none" }, '"mode": no such argument; there are notifications, alerts, locale'],
  [{ locale: "fr" }, 'locale: expected one of "auto", "en", "de", "zh", found "fr"'],
])("config_set refuses %j by name and writes nothing", async (args, words) => {
  const { call, path } = setUp();
  const answer = await call("beckon_config_set", args);
  expect(answer).toMatch(/^\[failed\] nothing was changed: /);
  expect(answer).toContain(words);
  expect(existsSync(path)).toBe(false);
});

test("config_set leaves a broken file alone and says what is wrong with it", async () => {
  const { call, text } = setUp('{ "locale": ');
  expect(await call("beckon_config_set", { locale: "en" })).toMatch(
    /^\[failed\] nothing was changed: not overwritten: .*line 1, column 13/,
  );
  expect(text()).toBe('{ "locale": ');
});

test("status hands on what it is told", async () => {
  const { call } = setUp();
  expect(await call("beckon_status", {})).toBe("2 terminals");
  expect(await call("beckon_status", { verbose: true })).toBe('[failed] "verbose": no such argument; there are none');
});
