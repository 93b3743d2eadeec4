import fc from "fast-check";
import { expect, test } from "vitest";
import { fitsGlob } from "../../../src/server/core/glob.ts";

test("a text without stars and question marks fits itself and nothing else", () => {
  expect(fitsGlob("memory", "Memory")).toBe(true);
  expect(fitsGlob("memory", "memory capture")).toBe(false);
  expect(fitsGlob("", "")).toBe(true);
  expect(fitsGlob("", "a")).toBe(false);
});

test("a question mark needs its character", () => {
  expect(fitsGlob("a?", "a")).toBe(false);
  expect(fitsGlob("a?", "ab")).toBe(true);
});

const letter = fc.constantFrom("a", "b", "*", "?", ".", "🎈");
const text = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(""));

/** What it means, without thinking of speed. */
function meaning([first, ...rest]: string[], letters: string[]): boolean {
  if (first === undefined) return letters.length === 0;
  if (first === "*")
    return letters.length > 0
      ? meaning(rest, letters) || meaning([first, ...rest], letters.slice(1))
      : meaning(rest, letters);
  return letters.length > 0 && (first === "?" || first === letters[0]) && meaning(rest, letters.slice(1));
}

test("it means what its words say", () => {
  fc.assert(fc.property(text, text, (glob, told) => fitsGlob(glob, told) === meaning([...glob], [...told])));
});

test("every text fits itself with any part of it starred", () => {
  fc.assert(
    fc.property(text, fc.nat(12), fc.nat(12), (told, from, length) => {
      const letters = [...told];
      const glob = [...letters.slice(0, from), "*", ...letters.slice(from + length)].join("");
      return fitsGlob(glob, told);
    }),
  );
});
