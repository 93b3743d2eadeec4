import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { parseJSON, tooDeepAt } from "../../src/shared/nesting.ts";

test.each([
  ["[[[]]]", 3, undefined],
  ["[[[]]]", 2, 2],
  ['{"a":{"b":[]}}', 2, 10],
  ['["[[[[", "\\"[[[[", "\\\\"]', 1, undefined],
  ["[ // [[[[\n]", 1, undefined],
  ["[ /* [[[[ */ ]", 1, undefined],
  ["[ // x\r[", 1, 7],
  ['[ "open\n[', 1, 8],
  ["[ / [", 1, 4],
  ["[},[", 1, 3],
  ["{],{", 1, 3],
  ["/", 0, undefined],
  ["/* never closed [[", 0, undefined],
])("where %j goes deeper than %i levels: %s", (text, most, at) => {
  expect(tooDeepAt(text, most)).toBe(at);
});

test("a million open brackets are found at the first that is too many", () => {
  for (const open of ["[", '{"a":', "[[ // x\n", '{"a": /* y */ ['])
    expect(tooDeepAt(open.repeat(1_000_000), 32)).toBeLessThanOrEqual(32 * open.length);
});

test("it counts as a parser does, whatever stands between the brackets", () => {
  const depthOf = (value: unknown): number =>
    typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  const pieces = fc.constantFrom(
    "[",
    "]",
    "{",
    "}",
    '"',
    "\\",
    "/",
    "*",
    "//",
    "/*",
    "*/",
    "\n",
    "\r",
    ",",
    ":",
    '"a":',
    "1",
  );
  const texts = fc.oneof(
    fc.json(),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const depth = depthOf(parse(text, [], { allowTrailingComma: true }));
      expect(depth === 0 || tooDeepAt(text, depth - 1) !== undefined).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test("plain JSON is read, with a byte order mark too; what is none or too deep is nothing", () => {
  expect(parseJSON('\uFEFF{ "a": 1 }')).toEqual({ a: 1 });
  for (const text of ["", "{", "// x\n{}", "[".repeat(100_000), "[".repeat(33) + "]".repeat(33)])
    expect(parseJSON(text)).toBeUndefined();
});
