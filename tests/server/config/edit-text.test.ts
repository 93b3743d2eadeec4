import { expect, test } from "vitest";
import { addElement, removeAt, setValue } from "../../../src/server/config/edit-text.ts";

test.each([
  ["a value is replaced in place", '{\n  "a": 1, // one\n}\n', ["a"], 2, '{\n  "a": 2, // one\n}\n'],
  [
    "a comment stays with the line it explains",
    '{\n  "a": 1 // one\n}\n',
    ["b"],
    2,
    '{\n  "a": 1, // one\n  "b": 2\n}\n',
  ],
  ["a trailing comma stays a habit", '{\n  "a": 1, // one\n}\n', ["b"], 2, '{\n  "a": 1, // one\n  "b": 2,\n}\n'],
  ["one line stays one line", '{ "a": { "x": 1 } }', ["a", "y"], 2, '{ "a": { "x": 1, "y": 2 } }'],
  ["one line with a trailing comma", '{ "x": 1, }', ["y"], 2, '{ "x": 1, "y": 2, }'],
  ["an empty file body opens up", "{}\n", ["a", "b"], 1, '{\n  "a": { "b": 1 }\n}\n'],
  ["an empty inner object stays on its line", '{\n  "a": {}\n}', ["a", "b"], 1, '{\n  "a": { "b": 1 }\n}'],
  ["a body of comments keeps them", "{\n  // nothing yet\n}", ["a"], 1, '{\n  // nothing yet\n  "a": 1\n}'],
  ["an inner block comment stays", '{ "a": { /* x */ } }', ["a", "b"], 1, '{ "a": { /* x */ "b": 1 } }'],
  [
    "what follows the last key stays last",
    '{\n  "a": 1\n  // "b": 3\n}',
    ["c"],
    1,
    '{\n  "a": 1,\n  "c": 1\n  // "b": 3\n}',
  ],
  ["indentation is copied", '{\n\t"a": 1\n}', ["b"], 2, '{\n\t"a": 1,\n\t"b": 2\n}'],
  ["Windows line ends are copied", '{\r\n  "a": 1\r\n}', ["b"], 2, '{\r\n  "a": 1,\r\n  "b": 2\r\n}'],
  ["null gives way to an object", '{ "a": null }', ["a", "b"], 1, '{ "a": { "b": 1 } }'],
  ["the same value changes nothing", '{ "a": [1,2] }', ["a"], [1, 2], '{ "a": [1,2] }'],
])("%s", (_title, text, path, value, expected) => {
  expect(setValue(text, path, value)).toBe(expected);
});

test.each([
  ["a line goes whole", '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["b"], '{\n  "a": 1,\n  "c": 3\n}'],
  ["the last one takes the comma before it along", '{\n  "a": 1, // one\n  "b": 2\n}', ["b"], '{\n  "a": 1 // one\n}'],
  [
    "its own comment stays to be read",
    '{\n  "a": 1, // one\n  "b": 2, // two\n}',
    ["b"],
    '{\n  "a": 1, // one\n  // two\n}',
  ],
  ["the only one leaves an empty object", '{\n  "a": { "b": 1 }\n}', ["a", "b"], '{\n  "a": { }\n}'],
  ["on one line", '{ "a": 1, "b": 2, "c": 3 }', ["b"], '{ "a": 1, "c": 3 }'],
  ["last on one line", '{ "a": 1, "b": 2 }', ["b"], '{ "a": 1 }'],
  ["an only key with a trailing comma", '{\n  "b": 2, // two\n}', ["b"], "{\n  // two\n}"],
  ["what is not there changes nothing", '{ "a": 1 }', ["x", "y"], '{ "a": 1 }'],
])("removing: %s", (_title, text, path, expected) => {
  expect(removeAt(text, path)).toBe(expected);
});

test("a long value is indented like its surroundings", () => {
  const span = { from: "22:00", to: "07:00", days: ["mon", "tue", "wed", "thu", "fri"] };
  expect(setValue('{\n  "alerts": {\n    "detail": "none"\n  }\n}', ["alerts", "quietHours"], [span, span])).toBe(
    '{\n  "alerts": {\n    "detail": "none",\n    "quietHours": [\n      {\n        "from": "22:00",\n        "to": "07:00",\n        "days": [\n          "mon",\n          "tue",\n          "wed",\n          "thu",\n          "fri"\n        ]\n      },\n      {\n        "from": "22:00",\n        "to": "07:00",\n        "days": [\n          "mon",\n          "tue",\n          "wed",\n          "thu",\n          "fri"\n        ]\n      }\n    ]\n  }\n}',
  );
});

test.each([
  ["an empty file", "{}", '{\n  "plugin": ["/opt/beckon"]\n}'],
  ["an empty list", '{ "plugin": [] }', '{ "plugin": ["/opt/beckon"] }'],
  ["a list of one line", '{ "plugin": ["a"] }', '{ "plugin": ["a", "/opt/beckon"] }'],
  ["a list of one line with a trailing comma", '{ "plugin": ["a",] }', '{ "plugin": ["a", "/opt/beckon",] }'],
  ["a list of one line with a comment alone", '{ "plugin": [ /* x */ ] }', '{ "plugin": [ /* x */ "/opt/beckon"] }'],
  [
    "a list of many lines",
    '{\n\t"plugin": [\n\t\t"a", // first\n\t\t"b" // second, last\n\t\t// the end\n\t]\n}\n',
    '{\n\t"plugin": [\n\t\t"a", // first\n\t\t"b", // second, last\n\t\t"/opt/beckon"\n\t\t// the end\n\t]\n}\n',
  ],
  [
    "a trailing comma and a comment behind it",
    '{\n  "plugin": [\n    "a", // x\n  ],\n}\n',
    '{\n  "plugin": [\n    "a", // x\n    "/opt/beckon",\n  ],\n}\n',
  ],
  [
    "a list with only a comment in it",
    '{\n\t"plugin": [\n\t\t// none yet\n\t]\n}\n',
    '{\n\t"plugin": [\n\t\t// none yet\n\t\t"/opt/beckon"\n\t]\n}\n',
  ],
  [
    "another key with a comment behind it",
    '{\r\n  "model": "x" // hello\r\n}\r\n',
    '{\r\n  "model": "x", // hello\r\n  "plugin": ["/opt/beckon"]\r\n}\r\n',
  ],
  ["null", '{ "plugin": null }', '{ "plugin": ["/opt/beckon"] }'],
  [
    "a list that stands twice, of which the last one counts",
    '{ "plugin": ["a"], "plugin": ["b"] }',
    '{ "plugin": ["a"], "plugin": ["b", "/opt/beckon"] }',
  ],
  ["a byte order mark", '\uFEFF{ "plugin": [] }', '\uFEFF{ "plugin": ["/opt/beckon"] }'],
])("an element more, with %s, leaves everything else where it is", (_title, text, expected) => {
  expect(addElement(text, ["plugin"], "/opt/beckon")).toBe(expected);
});

test.each([
  ['{ "plugin": ["x", "b"] }', '{ "plugin": ["b"] }'],
  ['{ "plugin": ["x"] }', '{ "plugin": [] }'],
  ['{\n  "plugin": [\n    "x",\n    "b"\n  ]\n}', '{\n  "plugin": [\n    "b"\n  ]\n}'],
  [
    '{\n  "plugin": [\n    "x", // mine, see [1]\n    "b",\n  ]\n}',
    '{\n  "plugin": [\n    // mine, see [1]\n    "b",\n  ]\n}',
  ],
])("the first element of %s goes with its comma", (text, expected) => {
  expect(removeAt(text, ["plugin", 0])).toBe(expected);
});

test.each([
  [
    "a comment to the end of the line above it does not swallow what closes the list",
    '{ "plugin": [\n  "a", // one\n  "x"] }',
    '{ "plugin": [\n  "a" // one\n  ] }',
  ],
  [
    "a comment between it and its comma stays",
    '{ "plugin": ["a", "x" /* why */, "b"] }',
    '{ "plugin": ["a", /* why */ "b"] }',
  ],
  ["an element that is not there changes nothing", '{ "plugin": ["a"] }', '{ "plugin": ["a"] }'],
])("the second element goes: %s", (_title, text, expected) => {
  expect(removeAt(text, ["plugin", 1])).toBe(expected);
});
