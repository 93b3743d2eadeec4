import { expect, test } from "vitest";
import { parseConfig } from "../../../src/server/config/parse.ts";
import { defaultConfig } from "../../../src/server/config/schema.ts";
import { listSettings } from "../../../src/server/config/settings.ts";
import { templateText } from "../../../src/server/config/template.ts";

test("the file of `config init` changes nothing", () => {
  expect(parseConfig(templateText())).toEqual({
    ok: true,
    value: { ...defaultConfig, $schema: "./config.schema.json" },
  });
});

test("with every setting's slashes taken away it is valid and still changes nothing", () => {
  const opened = templateText().replaceAll(/^(\s*)\/\/ (".*)$/gm, "$1$2");
  expect(parseConfig(opened)).toEqual({ ok: true, value: { ...defaultConfig, $schema: "./config.schema.json" } });
  for (const { path } of listSettings()) expect(opened).toContain(`"${path.at(-1)}": `);
});

test("it reads as if written by hand", () => {
  expect(
    templateText().split("\n").slice(0, 14).join("\n"),
  ).toBe(`// Settings of opencode-beckon. Every line below shows a default: take its // away to change it.
// An edit counts at the next alert. Is it right? beckon config check
{
  "$schema": "./config.schema.json",

  // Language of alerts; auto = LANG.
  // Values: one of "auto", "en", "de", "zh"
  // "locale": "auto",

  "notifications": {
    // Channels of the beckon_notify_user tool.
    // Values: one of "both", "banner", "voice", "none"
    // "mode": "both",
`);
});
