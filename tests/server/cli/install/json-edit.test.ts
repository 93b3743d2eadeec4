import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { addElement, removeAt, setValue } from "../../../../src/server/cli/install/json-edit.ts";

const added = (text: string): string => {
  const edited = addElement(text, "plugin", "/opt/beckon");
  if (!edited.ok) throw new Error(JSON.stringify(edited.error));
  return edited.value;
};

describe("adding a plugin entry", () => {
  test.each([
    ["an empty object", "{}", '{\n  "plugin": ["/opt/beckon"]\n}'],
    ["an empty array", '{ "plugin": [] }', '{ "plugin": ["/opt/beckon"] }'],
    ["one line", '{ "plugin": ["a"] }', '{ "plugin": ["a", "/opt/beckon"] }'],
    ["one line with a trailing comma", '{ "plugin": ["a",] }', '{ "plugin": ["a", "/opt/beckon",] }'],
    [
      "many lines",
      '{\n\t"plugin": [\n\t\t"a", // first\n\t\t"b" // second, last\n\t\t// the end\n\t]\n}\n',
      '{\n\t"plugin": [\n\t\t"a", // first\n\t\t"b", // second, last\n\t\t// the end\n\t\t"/opt/beckon"\n\t]\n}\n',
    ],
    [
      "a trailing comma and a comment behind it",
      '{\n  "plugin": [\n    "a", // x\n  ],\n}\n',
      '{\n  "plugin": [\n    "a", // x\n    "/opt/beckon",\n  ],\n}\n',
    ],
    [
      "only a comment in the array",
      '{\n  "plugin": [\n    // none yet\n  ]\n}\n',
      '{\n  "plugin": [\n    // none yet\n    "/opt/beckon"\n  ]\n}\n',
    ],
    [
      "another key with a comment behind it",
      '{\r\n  "model": "x" // hello\r\n}\r\n',
      '{\r\n  "model": "x", // hello\r\n  "plugin": ["/opt/beckon"]\r\n}\r\n',
    ],
    ["null", '{ "plugin": null }', '{ "plugin": ["/opt/beckon"] }'],
  ])("to a file with %s keeps everything else where it is", (_name, before, after) => {
    expect(added(before)).toBe(after);
  });

  test.each([
    ["not JSON at all", "plugin: x", "not-json"],
    ["an unfinished file", '{ "plugin": [', "not-json"],
    ["an array", "[]", "not-an-object"],
    ["a plugin key that is no array", '{ "plugin": "a" }', "not-an-object"],
  ])("refuses %s", (_name, text, why) => {
    expect(addElement(text, "plugin", "x")).toMatchObject({ ok: false, error: { why } });
  });
});

describe("setting a nested value", () => {
  test.each([
    ["{}", '{\n  "attention": { "enabled": false }\n}'],
    ['{ "attention": {} }', '{ "attention": { "enabled": false } }'],
    [
      '{\n  "attention": {\n    "enabled": true, // loud\n    "volume": 1\n  }\n}',
      '{\n  "attention": {\n    "enabled": false, // loud\n    "volume": 1\n  }\n}',
    ],
  ])("in %s", (before, after) => {
    expect(setValue(before, ["attention", "enabled"], false)).toEqual({ ok: true, value: after });
  });

  test("is refused below something that is no object", () => {
    expect(setValue('{ "attention": true }', ["attention", "enabled"], false)).toEqual({
      ok: false,
      error: { why: "not-an-object", at: "attention" },
    });
  });
});

describe("removing", () => {
  test.each([
    ['{ "plugin": ["x", "b"] }', '{ "plugin": ["b"] }'],
    ['{ "plugin": ["x"] }', '{ "plugin": [] }'],
    ['{\n  "plugin": [\n    "x",\n    "b"\n  ]\n}', '{\n  "plugin": [\n    "b"\n  ]\n}'],
    [
      '{\n  "plugin": [\n    "x", // mine, see [1]\n    "b",\n  ]\n}',
      '{\n  "plugin": [ // mine, see [1]\n    "b",\n  ]\n}',
    ],
  ])("the first entry of %s takes its comma with it", (before, after) => {
    expect(removeAt(before, ["plugin", 0])).toEqual({ ok: true, value: after });
  });

  test("what is not there changes nothing", () => {
    expect(removeAt('{ "a": 1 }', ["plugin", 3])).toEqual({ ok: true, value: '{ "a": 1 }' });
  });
});

/** Arrays and objects as people write them: with comments, trailing commas, tabs, one line or many. */
const document = fc
  .record({
    others: fc.array(fc.constantFrom('"a"', '"b@1.0.0"', '["c", { "x": [1, 2] }]', '{ "package": "d,e" }'), {
      minLength: 1,
    }),
    gap: fc.constantFrom(" ", "\n  ", "\n\t\t", "\r\n    "),
    comment: fc.constantFrom("", " // why, [not]", " /* a, b */"),
    trailing: fc.boolean(),
    closing: fc.constantFrom("", "\n", " // end ]\n"),
  })
  .map(({ others, gap, comment, trailing, closing }) => {
    const mark = gap.includes("\n") ? comment : comment.replace(/ \/\/.*/, "");
    const items = others.map(
      (item, index) => `${gap}${item}${index < others.length - 1 || trailing ? "," : ""}${mark}`,
    );
    const end = mark.includes("//") && !closing.includes("\n") ? "\n" : closing;
    return { text: `{ "model": "m", "plugin": [${items.join("")}${end}] }`, size: others.length };
  });

test("adding and then removing leaves every byte as it was", () => {
  fc.assert(
    fc.property(document, ({ text, size }) => {
      const more = added(text);
      const values: unknown = parse(more);
      expect(values).toHaveProperty("model", "m");
      expect(values).toHaveProperty(["plugin", size], "/opt/beckon");
      expect(removeAt(more, ["plugin", size])).toEqual({ ok: true, value: text });
    }),
  );
});
