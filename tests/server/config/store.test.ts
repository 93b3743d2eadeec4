import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configFileSource } from "../../../src/server/config/file-source.ts";
import { createConfigReader } from "../../../src/server/config/reader.ts";
import { createConfigStore } from "../../../src/server/config/store.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
async function setUp(text?: string) {
  const path = join(folder(), "config.json");
  if (text !== undefined) writeFileSync(path, text);
  const read = configFileSource(path);
  const store = createConfigStore({ path, read, reader: createConfigReader({ log: () => {} }) });
  await store.look();
  const show = (key: string, values = false) => {
    const shown = store.show(key, { values });
    return shown.ok ? shown.value : `failed: ${shown.error}`;
  };
  return { path, store, show };
}

test("each key shows its written value, or unset with what holds then", async () => {
  const { show } = await setUp('{ "notifications": { "mode": "voice", "voice": null } }');
  expect(show("notifications")).toBe(
    [
      'notifications.mode = "voice"',
      "notifications.voice = unset (default: the platform's own (macOS: Zarvox))",
      "notifications.sound = unset (default: the platform's own (macOS: Submarine))",
    ].join("\n"),
  );
});

test("values say what a key takes, lists what their elements have", async () => {
  const { show } = await setUp();
  expect(show("alerts.done.mode", true)).toBe(
    'alerts.done.mode = unset (default: "banner"); takes one of "both", "banner", "voice", "none"',
  );
  expect(show("alerts.quietHours", true)).toBe(
    'alerts.quietHours = unset (default: []); takes a list [ … ], at most 50, each { from: a time such as 22:00; to: a time such as 22:00; days: a list [ … ] of "mon", "tue", "wed", "thu", "fri", "sat", "sun", at least 1, optional }',
  );
});

test("addresses, topics, tokens and secrets are not shown", async () => {
  const { show } = await setUp(
    '{ "alerts": { "push": [{ "type": "ntfy", "url": "https://n.example/s1", "topic": "s2", "token": "s3" }, { "type": "webhook", "url": "https://w.example/s4", "secret": "s5" }] } }',
  );
  expect(show("alerts.push")).not.toMatch(/s[1-5]"/);
  expect(show("alerts.push")).toContain('"type":"webhook","url":"(set, not shown)"');
});

test("an unknown key is said by name", async () => {
  expect((await setUp()).show("alerts.dnoe")).toContain('failed: unknown key "alerts.dnoe"');
});

test("what is saved is in force at the next look", async () => {
  const { store, path } = await setUp();
  expect(store.current().locale).toBe("auto");
  await store.save({ locale: "de" });
  expect(existsSync(path)).toBe(true);
  expect(store.current().locale).toBe("de");
  writeFileSync(path, readFileSync(path, "utf8").replace("de", "zh"));
  await store.look();
  expect(store.current().locale).toBe("zh");
});

test("a broken file shows as unset, with the problem beside it", async () => {
  const { store, show } = await setUp('{ "locale": ');
  expect(show("locale")).toBe('locale = unset (default: "auto")');
  expect(store.problem()).toContain("expected a value");
});
