import { describe, expect, test } from "vitest";
import { plainValue, readLenient, readTree } from "../../../src/server/config/json-text.ts";

const twice = { expected: "each key once", found: "the same key again" };

describe("a key that stands twice", () => {
  test.each([
    ["beside itself", '{ "a": 1, "a": 2 }', 11],
    ["inside an object", '{ "o": { "a": 1, "a": 2 } }', 18],
    ["inside a list", '{ "l": [1, { "a": 1, "a": 2 }] }', 22],
  ])("is no file of ours: %s", (_name, text, column) => {
    expect(readTree(text)).toEqual({ ok: false, error: { ...twice, at: { line: 1, column } } });
  });

  test("is read in a file of opencode's as opencode reads it: the last one counts", () => {
    const tree = readLenient('{ "a": 1, "a": 2 }');
    expect(tree.ok && plainValue(tree.value)).toEqual({ a: 2 });
  });
});

test("a byte order mark moves no place", () => {
  expect(readTree('\uFEFF{ "a" 1 }')).toMatchObject({ ok: false, error: { at: { line: 1, column: 7 } } });
});
