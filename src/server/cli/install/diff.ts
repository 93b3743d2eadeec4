import type { Paint } from "../paint.ts";

type Step = { sign: " " | "-" | "+"; line: string };

/** What changes between two texts, line by line, with the lines around it; empty when nothing does. */
function diffLines(before: string, after: string, around = 2): Step[] {
  const steps = compare(split(before), split(after));
  const near = steps.map((_, at) =>
    steps.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== " "),
  );
  return steps.filter((_, at) => near[at]);
}

export function showDiff(before: string, after: string, paint: Paint): string {
  const brush = { " ": paint.dim, "-": paint.red, "+": paint.green };
  return diffLines(before, after)
    .map(({ sign, line }) => `  ${brush[sign](`${sign} ${line}`.trimEnd())}\n`)
    .join("");
}

const split = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

/** Longest common subsequence by the plain table: configuration files are short. */
function compare(old: readonly string[], now: readonly string[]): Step[] {
  const common = commonLengths(old, now);
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  const steps: Step[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const left = old[i];
    const right = now[j];
    if (left !== undefined && left === right) {
      steps.push({ sign: " ", line: left });
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ sign: "-", line: left });
      i++;
    } else if (right !== undefined) {
      steps.push({ sign: "+", line: right });
      j++;
    }
  }
  return steps;
}

function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    const row = table[i] ?? [];
    const below = table[i + 1] ?? [];
    for (let j = now.length - 1; j >= 0; j--)
      row[j] = old[i] === now[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return table;
}
