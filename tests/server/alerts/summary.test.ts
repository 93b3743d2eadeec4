import { expect, test } from "vitest";
import { createSummary } from "../../../src/server/alerts/summary.ts";

/** Sessions whose banners are up; what the summary shows and folds is written down. */
function rig(...up: string[]) {
  const banners = new Set(up);
  const shown: string[][] = [];
  const updated: string[][] = [];
  const takenBack: number[] = [];
  const summary = createSummary({
    finished: () => [...banners],
    fold: (sessionID) => void banners.delete(sessionID),
    show: (sessionIDs) => void shown.push([...sessionIDs]),
    update: (sessionIDs) => void updated.push([...sessionIDs]),
    takeBack: () => void takenBack.push(shown.length),
  });
  return { banners, shown, updated, takenBack, summary };
}

test("three banners stay three", () => {
  const { banners, shown, summary } = rig("A", "B", "C");
  summary.review();
  expect(shown).toEqual([]);
  expect([...banners]).toEqual(["A", "B", "C"]);
});

test("with a fourth the oldest two become one, the newest two stay", () => {
  const { banners, shown, summary } = rig("A", "B", "C", "D");
  summary.review();
  expect(shown).toEqual([["A", "B"]]);
  expect([...banners]).toEqual(["C", "D"]);
});

test("later ones join it, each once", () => {
  const { banners, shown, summary } = rig("A", "B", "C", "D");
  summary.review();
  for (const next of ["E", "F", "A"]) banners.add(next);
  summary.review();
  expect(shown.at(-1)).toEqual(["A", "B", "C", "D", "E"]);
  expect([...banners]).toEqual(["F", "A"]);
});

test("a session that works again, was seen or is gone leaves it; the last one takes it along", () => {
  const { shown, updated, takenBack, summary } = rig("A", "B", "C", "D");
  summary.review();
  summary.without("A");
  expect(shown).toEqual([["A", "B"]]);
  expect(updated).toEqual([["B"]]);
  summary.without("never named");
  expect(takenBack).toEqual([]);
  summary.without("B");
  expect(takenBack).toHaveLength(1);
});
