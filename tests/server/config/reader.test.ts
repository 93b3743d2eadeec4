import { expect, test } from "vitest";
import { type ConfigText, createConfigReader } from "../../../src/server/config/reader.ts";
import { defaultConfig } from "../../../src/server/config/schema.ts";

function setUp(first: ConfigText = { kind: "missing" }) {
  const logged: string[] = [];
  let edits = 0;
  const reader = createConfigReader({ log: (line) => logged.push(line) });
  const put = (file: ConfigText) => {
    edits += 1;
    reader.take(file);
  };
  put(first);
  return { reader, logged, put, write: (text: string) => put({ kind: "text", text, stamp: `edit ${edits}` }) };
}

test("without a file the defaults are in force", () => {
  const { reader } = setUp();
  expect(reader.current()).toEqual(defaultConfig);
  expect(reader.problem()).toBeUndefined();
});

test("an edit counts from when it is taken on", () => {
  const { reader, write } = setUp();
  write('{ "locale": "de" }');
  expect(reader.current().locale).toBe("de");
  write('{ "locale": "zh" }');
  expect(reader.current().locale).toBe("zh");
});

test("the same file is not parsed again", () => {
  const { reader, put } = setUp({ kind: "text", text: '{ "locale": "de" }', stamp: "1" });
  const config = reader.current();
  put({ kind: "text", text: '{ "locale": "de" }', stamp: "1" });
  expect(reader.current()).toBe(config);
});

test("a broken file leaves the last valid configuration in force and says why, once", () => {
  const { reader, write, logged } = setUp();
  write('{ "locale": "de" }');
  write('{ "locale": ');
  expect(reader.current().locale).toBe("de");
  expect(reader.problem()).toBe("line 1, column 13: expected a value, found the end of the file");
  write('{ "locale": ');
  expect(logged).toEqual(["config ignored: line 1, column 13: expected a value, found the end of the file"]);
});

test("a file that was broken from the start means the defaults", () => {
  const { reader, write } = setUp();
  write('{ "bannr": true }');
  expect(reader.current()).toEqual(defaultConfig);
  expect(reader.problem()).toContain("bannr");
});

test("a repaired file is in force again and its problem is gone", () => {
  const { reader, write, logged } = setUp();
  write("{");
  write('{ "locale": "en" }');
  expect(reader.current().locale).toBe("en");
  expect(reader.problem()).toBeUndefined();
  write("{");
  expect(logged).toHaveLength(2);
});

test("a removed file means the defaults again, also after a broken one", () => {
  const { reader, write, put } = setUp();
  write('{ "locale": "de" }');
  write("{");
  put({ kind: "missing" });
  expect(reader.current()).toEqual(defaultConfig);
  expect(reader.problem()).toBeUndefined();
});

test("an unreadable file leaves the last valid configuration in force", () => {
  const { reader, write, put } = setUp();
  write('{ "locale": "de" }');
  put({ kind: "unreadable", why: "/c.json: permission denied" });
  expect(reader.current().locale).toBe("de");
  expect(reader.problem()).toBe("/c.json: permission denied");
});

test("a file that comes back unchanged after it was removed is in force again", () => {
  const { reader, put } = setUp({ kind: "text", text: '{ "locale": "de" }', stamp: "1" });
  put({ kind: "missing" });
  put({ kind: "text", text: '{ "locale": "de" }', stamp: "1" });
  expect(reader.current().locale).toBe("de");
});
