import fc from "fast-check";
import { test } from "vitest";
import { parseConfig } from "../../../src/server/config/parse.ts";

const crumbs = fc.constantFrom(
  "{",
  "}",
  "[",
  "]",
  '"',
  ",",
  ":",
  "//",
  "/*",
  "*/",
  "\n",
  "alerts",
  "null",
  "1",
  "\\",
  "\\u",
  "'",
);

test("any text is read or refused with at least one finding; nothing throws", () => {
  const text = fc.oneof(
    fc.string(),
    fc.array(crumbs).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (anything) => {
      const parsed = parseConfig(anything);
      return parsed.ok || parsed.error.findings.length > 0;
    }),
    { numRuns: 2_000 },
  );
});

test("any JSON value is read or refused; nothing throws", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("locale", "alerts", "notifications", "$schema"), (json, key) => {
      const parsed = parseConfig(`{ "${key}": ${json} }`);
      return parsed.ok || parsed.error.findings.every(({ expected, found }) => expected !== "" && found !== "");
    }),
    { numRuns: 2_000 },
  );
});
