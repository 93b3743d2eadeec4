import { describe, expect, test } from "vitest";
import {
  bodyLength,
  cleanBody,
  cleanText,
  cleanTitle,
  plainMarkdown,
  printable,
  printableJSON,
  titleLength,
} from "../../src/shared/text.ts";
import { hostileText, isHarmless } from "../contract/hostile-texts.ts";

const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].length;

describe("a title", () => {
  test.each([
    ["stays as it is when nothing is wrong with it", 'Fix "login" page', 'Fix "login" page'],
    ["loses escape codes and bells", "a\u0007b\u001b]0;evil\u001b\\c\u009cd;e\nf", "abcd;e f"],
    ["gets a blank for a line break", "a\r\nb\u2028c\u0085d", "a b c d"],
    ["has single blanks", "  a \t\t b\u00a0\u00a0c ", "a b c"],
    ["has single blanks where a control character stood", "a \u0007 b", "a b"],
    ["loses bidi overrides and isolates", "a\u202eb\u2066c\u2069", "abc"],
    ["loses half surrogates and keeps whole ones", "a\ud83db\ude00c😀", "abc😀"],
    ["loses DEL and C1", "a\u007fb\u0080c\u009fd", "abcd"],
    [
      "loses whole sequences, not only their first sign",
      "\u001b]8;;http://e\u001b\\a\u001b]8;;\u0007\u009b1mb\u009d0;x\u009c",
      "ab",
    ],
    ["keeps what stands behind a sequence that never ends", "a\u001b]0;title", "a]0;title"],
    ["loses what has no width", "F\u200bi\u2060x\ufeff l\u00adog\u180ein", "Fix login"],
    ["loses marks of direction", "a\u200eb\u200fc\u061cd", "abcd"],
    ["loses text hidden in tags and selectors", "a\u{e0041}\u{e007f}😀\u{e0100}\ufe0f\ufe0fb\ufe0f", "a😀b"],
    ["loses joiners that nothing needs", "a\u200db \u200c c\u200c😀\u200d", "ab c😀"],
    ["keeps joiners that letters need", "می\u200cخواهم क्\u200dष അവന്\u200d", "می\u200cخواهم क्\u200dष അവന്\u200d"],
    [
      "keeps what an emoji is made of",
      "👩🏽\u200d💻 ❤\ufe0f 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3",
      "👩🏽\u200d💻 ❤\ufe0f 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3",
    ],
    [
      "keeps the flag of Scotland",
      "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
      "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    ],
    ["keeps the form of an ideograph", "葛\u{e0100}城 ≨\ufe00", "葛\u{e0100}城 ≨\ufe00"],
    ["is empty when nothing visible is in it", " \u200b\u2060\u3164\u0007 ", ""],
  ])("%s", (_, text, expected) => {
    expect(cleanTitle(text)).toBe(expected);
  });

  test("ends in an ellipsis when it is cut, and is never longer than its limit", () => {
    expect(cleanTitle("x".repeat(titleLength))).toBe("x".repeat(titleLength));
    expect(cleanTitle("x".repeat(10_000))).toBe(`${"x".repeat(titleLength - 1)}…`);
  });

  test("is counted in what a person calls a character", () => {
    const family = "👩‍👩‍👧‍👦";
    expect(cleanTitle(family.repeat(60))).toBe(family.repeat(60));
    expect(cleanTitle("e\u0301".repeat(titleLength))).toBe("e\u0301".repeat(titleLength));
    expect(cleanTitle("e\u0301".repeat(titleLength + 1))).toBe(`${"e\u0301".repeat(titleLength - 1)}…`);
  });

  test("cannot be made huge by combining marks on one letter", () => {
    expect(cleanTitle(`a${"\u0301".repeat(10_000)}b`).length).toBeLessThan(1_000);
  });
});

describe("a body", () => {
  test("keeps its line breaks, one at a time", () => {
    expect(cleanBody("a \n\n\n b\r\nc\u2028d\u0007")).toBe("a\nb\nc\nd");
  });

  test("is longer than a title and cut all the same", () => {
    expect(graphemes(cleanBody("y".repeat(10_000)))).toBe(bodyLength);
  });
});

describe("a text of several lines", () => {
  test("keeps its layout and has an end", () => {
    const text = ["  a\tb\u001b[2J", "c\u200bd", "", "e".repeat(30), "f", "g"].join("\r\n");
    expect(cleanText(text, { lines: 5, columns: 20 })).toBe(
      ["  a\tb", "cd", "", `${"e".repeat(19)}…`, "… and 2 more lines"].join("\n"),
    );
  });

  test("that was asked for whole stays whole, without what acts or is not seen", () => {
    const long = "x".repeat(100_000);
    expect(printable(`${long}\u001b[31m\n\ta\u202e\r\nb\u0085`)).toBe(`${long}\n\ta\nb`);
    expect(isHarmless(printable(hostileText))).toBe(true);
  });

  test("as JSON loses nothing, and shows as a code what acts or is not seen", () => {
    const value = { text: hostileText, emoji: "👩\u200d💻", list: [1, "\u2028"] };
    expect(isHarmless(printableJSON(value))).toBe(true);
    expect(JSON.parse(printableJSON(value))).toEqual(value);
    expect(JSON.parse(printableJSON(value, 2))).toEqual(value);
    expect(printableJSON(value)).toContain("👩\u200d💻");
  });
});

describe("Markdown", () => {
  test.each([
    [
      "is read as its words (O47)",
      "**Pick** one: [docs](https://ex.org/a?b=c) or `npm i`\n```js\nx()\n```",
      "Pick one: docs or npm i",
    ],
    ["loses a code block that never ends", "a\n~~~\nrm -rf /", "a"],
    ["loses addresses and what they leave behind", "see https://ex.org/a_b. Or <https://ex.org>", "see. Or"],
    ["keeps names with underscores", "call snake_case_name in __init__", "call snake_case_name in init"],
    ["keeps a product", "2 * 3 * 4 = 24", "2 * 3 * 4 = 24"],
    ["loses nested emphasis", "**a *b* c** ~~d~~ ***e***", "a b c d e"],
    ["loses headings, quotes, bullets and rules", "# A\n> b\n- [x] c\n* d\n---\n1. e", "A\nb\nc\nd\n\n1. e"],
    ["keeps a picture's description", "![a cat](cat.png) here", "a cat here"],
    ["reads a link whose address has brackets", "[wiki](https://ex.org/a_(b)) x", "wiki x"],
    ["reads a reference link", "[docs][1] x", "docs x"],
    ["shows what was escaped", "\\*literal\\*", "*literal*"],
  ])("%s", (_, text, expected) => {
    expect(plainMarkdown(text)).toBe(expected);
  });
});
