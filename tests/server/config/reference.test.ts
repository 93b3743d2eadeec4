import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConfig } from "../../../src/server/config/parse.ts";
import { schemaText, withReference } from "../../../src/server/config/reference.ts";
import { defaultConfig } from "../../../src/server/config/schema.ts";
import { listSettings } from "../../../src/server/config/settings.ts";

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/config.md", root), "utf8");

test("config.schema.json is up to date (otherwise: node scripts/generate-schema.mjs)", () => {
  expect(readFileSync(new URL("config.schema.json", root), "utf8")).toBe(schemaText());
});

test("the table in docs/config.md is up to date (otherwise: node scripts/generate-schema.mjs)", () => {
  expect(withReference(page)).toBe(page);
});

test("the table has a row for every setting", () => {
  for (const { path } of listSettings()) expect(page).toContain(`| \`${path.join(".")}\` |`);
});

test("every configuration shown on the page is valid", () => {
  const shown = [...page.matchAll(/```jsonc?\n([\s\S]*?)```/g)].map(([, text]) => text ?? "");
  expect(shown.length).toBeGreaterThan(0);
  for (const text of shown) expect(parseConfig(text)).toMatchObject({ ok: true });
});

test("the page is untouched outside its marks, and one without marks is refused", () => {
  const emptied = page.replace(/(settings: generated[^\n]*\n)[\s\S]*(<!-- end)/, "$1$2");
  expect(withReference(emptied)).toBe(page);
  expect(() => withReference("no marks")).toThrow("the page needs");
});

test("the schema lets null stand wherever a key may be absent, and names no default that is not ours", () => {
  const schema = JSON.parse(schemaText());
  expect(schema.properties.locale).toMatchObject({ type: ["string", "null"], default: defaultConfig.locale });
  expect(schema.properties.locale.enum).toEqual(["auto", "en", "de", "zh", null]);
  expect(schema.properties.alerts.properties.push.items.anyOf[0].required).toEqual(["type", "url", "topic"]);
  expect(schema).toMatchObject({ allowComments: true, allowTrailingCommas: true, additionalProperties: false });
});
