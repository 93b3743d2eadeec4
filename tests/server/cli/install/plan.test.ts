import { describe, expect, test } from "vitest";
import { planFile } from "../../../../src/server/cli/install/plan.ts";

const wish = { line: "1", spec: "/opt/opencode-beckon", nativeAttentionOff: true, nameAt: () => undefined } as const;

describe("a file that opencode itself could not use", () => {
  test.each([
    ["not JSON at all", "plugin: x", "not-json"],
    ["an unfinished file", '{ "plugin": [', "not-json"],
    ["an array", "[]", "not-an-object"],
    ["a plugin key that is no array", '{ "plugin": "a" }', "not-an-object"],
  ])("is refused: %s", (_name, text, why) => {
    expect(planFile("server", text, wish)).toMatchObject({ ok: false, error: { why } });
  });
});

describe("opencode's own attention", () => {
  test.each([
    [
      "on",
      '{\n  "attention": {\n    "enabled": true, // loud\n    "volume": 1\n  },\n  "plugin": ["/opt/opencode-beckon"]\n}',
      '{\n  "attention": {\n    "enabled": false, // loud\n    "volume": 1\n  },\n  "plugin": ["/opt/opencode-beckon"]\n}',
    ],
    ["off", '{ "attention": { "enabled": false }, "plugin": ["/opt/opencode-beckon"] }', undefined],
    ["not spoken of", '{ "attention": {}, "plugin": ["/opt/opencode-beckon"] }', undefined],
    ["something that is no object", '{ "attention": true, "plugin": ["/opt/opencode-beckon"] }', undefined],
  ])("is switched off where it is on, and left alone elsewhere: %s", (_name, before, after = before) => {
    expect(planFile("terminal", before, wish)).toEqual({ ok: true, value: after });
  });
});

test("a list of the other line that was empty before stays where it is", () => {
  expect(planFile("server", '{ "plugin": [] }', { ...wish, line: "2" })).toEqual({
    ok: true,
    value: '{ "plugin": [], "plugins": ["/opt/opencode-beckon"] }',
  });
});
