import { expect, test } from "vitest";
import { count, fields, identity, list, text } from "../../../src/server/hosts/read.ts";

test("an id is a text that could be one", () => {
  expect(identity("ses_1")).toBe("ses_1");
  for (const no of ["", "x".repeat(257), 7, null, undefined, {}, ["ses_1"]]) expect(identity(no)).toBeUndefined();
});

test("each reader gives what it is for, and nothing for anything else", () => {
  expect([text(""), text(7)]).toEqual(["", undefined]);
  expect([count(0), count(Number.NaN), count(Number.POSITIVE_INFINITY), count("7")]).toEqual([
    0,
    undefined,
    undefined,
    undefined,
  ]);
  expect([list([1]), list({ length: 1 }), list("ab")]).toEqual([[1], [], []]);
  expect([fields({ a: 1 }), fields([1]), fields(null), fields("a")]).toEqual([{ a: 1 }, {}, {}, {}]);
});
