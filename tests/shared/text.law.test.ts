import fc from "fast-check";
import { test } from "vitest";
import { cleanBody, cleanTitle, plainMarkdown } from "../../src/shared/text.ts";
import { isHarmless } from "../contract/hostile-texts.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400 }).map((units) => String.fromCharCode(...units)),
);
const holds = (law: (text: string) => boolean) => fc.assert(fc.property(anyText, law), { numRuns: 500 });

test("no clean text has a control character or half a surrogate pair", () => {
  holds(
    (text) =>
      !/[\p{Cc}\p{Cs}]/u.test(cleanTitle(text)) && !/[\p{Cc}\p{Cs}]/u.test(cleanBody(text).replaceAll("\n", "")),
  );
});

test("no clean text has anything unseen in it, whatever stands beside it", () => {
  const signs = fc.constantFrom(
    "a",
    "م",
    "ക",
    "്",
    "👩",
    "🏽",
    "❤",
    "葛",
    "1",
    "\u200d",
    "\u200c",
    "\ufe0f",
    "\u200b",
    "\u20e3",
    "\u{e0100}",
    "\u{e0041}",
    "\ud83d",
    "\ude00",
    " ",
  );
  const law = (parts: string[]) => {
    const clean = cleanTitle(parts.join(""));
    return isHarmless(clean) && !/[\u200c\u200d]{2}|\ufe0f{2}/u.test(clean) && cleanTitle(clean) === clean;
  };
  fc.assert(fc.property(fc.array(signs, { maxLength: 120 }), law), { numRuns: 2_000 });
});

test("cleaning what is clean changes nothing", () => {
  holds((text) => cleanTitle(cleanTitle(text)) === cleanTitle(text) && cleanBody(cleanBody(text)) === cleanBody(text));
});

test("a title never has a line break, nor a blank at its ends", () => {
  holds((text) => cleanTitle(text) === cleanTitle(text).trim() && !/[\n\r\u2028\u2029]/.test(cleanTitle(text)));
});

test("reading Markdown never throws and never makes a text longer", () => {
  const marks = fc.array(
    fc.constantFrom("*", "_", "`", "[", "](", ")", "~~", "#", "\n", "```", "a", " ", "http://a", "<", "-", "\\"),
    {
      maxLength: 300,
    },
  );
  fc.assert(fc.property(marks, (parts) => plainMarkdown(parts.join("")).length <= parts.join("").length));
});
