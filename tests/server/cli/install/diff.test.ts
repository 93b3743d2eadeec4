import fc from "fast-check";
import { expect, test } from "vitest";
import { showDiff } from "../../../../src/server/cli/install/diff.ts";
import { createPaint } from "../../../../src/server/cli/paint.ts";

const diff = (before: string, after: string) => showDiff(before, after, createPaint(false));
const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 }).map((lines) => lines.join("\n"));
const marked = (shown: string, sign: string) => shown.split("\n").filter((line) => line.startsWith(`  ${sign}`)).length;

/** Longest common subsequence by the plain table. */
function common(old: readonly string[], now: readonly string[]): number {
  const row = new Array<number>(now.length + 1).fill(0);
  for (const line of old)
    for (let j = 0, diagonal = 0; j < now.length; j += 1) {
      const above = row[j + 1] ?? 0;
      row[j + 1] = line === now[j] ? diagonal + 1 : Math.max(above, row[j] ?? 0);
      diagonal = above;
    }
  return row[now.length] ?? 0;
}

test("as few lines as can be are shown as changed", () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const [old, now] = [before, after].map((text) => (text === "" ? [] : text.split("\n")));
      const same = common(old ?? [], now ?? []);
      const shown = diff(before, after);
      expect(marked(shown, "-")).toBe((old?.length ?? 0) - same);
      expect(marked(shown, "+")).toBe((now?.length ?? 0) - same);
    }),
  );
});

test("what stands around a change is shown, and nothing else of a file of 200,000 lines", () => {
  const lines = Array.from({ length: 200_000 }, (_, at) => `line ${at}`);
  const changed = lines.with(10, "first").toSpliced(150_000, 0, "second");
  expect(diff(lines.join("\n"), changed.join("\n"))).toMatchInlineSnapshot(`
    "    line 8
        line 9
      - line 10
      + first
        line 11
        line 12
        line 149998
        line 149999
      + second
        line 150000
        line 150001
    "
  `);
});

test("texts that have nothing in common are shown whole, whatever their size", () => {
  const [old, now] = ["old", "now"].map((word) =>
    Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`).join("\n"),
  );
  const shown = diff(old ?? "", now ?? "");
  expect([marked(shown, "-"), marked(shown, "+")]).toEqual([20_000, 20_000]);
});
