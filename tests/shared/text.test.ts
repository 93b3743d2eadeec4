import { describe, expect, test } from "vitest";
import { bodyLength, cleanBody, cleanTitle, plainMarkdown, titleLength } from "../../src/shared/text.ts";

const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].length;

describe("a title", () => {
  test.each([
    ["stays as it is when nothing is wrong with it", 'Fix "login" page', 'Fix "login" page'],
    ["loses escape codes and bells", "a\u0007b\u001b]0;evil\u001b\\c\u009cd;e\nf", "ab]0;evil\\cd;e f"],
    ["gets a blank for a line break", "a\r\nb\u2028c\u0085d", "a b c d"],
    ["has single blanks", "  a \t\t b\u00a0\u00a0c ", "a b c"],
    ["has single blanks where a control character stood", "a \u0007 b", "a b"],
    ["loses bidi overrides and isolates", "a\u202eb\u2066c\u2069", "abc"],
    ["loses half surrogates and keeps whole ones", "a\ud83db\ude00c😀", "abc😀"],
    ["loses DEL and C1", "a\u007fb\u0080c\u009fd", "abcd"],
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
