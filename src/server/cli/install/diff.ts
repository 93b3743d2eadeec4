import type { Paint } from "../paint.ts";

type Step = { sign: " " | "-" | "+"; line: string };

/** What changes between two texts, line by line, with the lines around it; empty when nothing does. */
function diffLines(before: string, after: string, around = 2): Step[] {
  const steps = compare(split(before), split(after));
  const near = new Set<number>();
  for (const [at, { sign }] of steps.entries())
    if (sign !== " ") for (let step = at - around; step <= at + around; step += 1) near.add(step);
  return steps.filter((_, at) => near.has(at));
}

export function showDiff(before: string, after: string, paint: Paint): string {
  const brush = { " ": paint.dim, "-": paint.red, "+": paint.green };
  return diffLines(before, after)
    .map(({ sign, line }) => `  ${brush[sign](`${sign} ${line}`.trimEnd())}\n`)
    .join("");
}

const split = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

/** More differences than this are no edit of ours; then the old lines and the new ones are shown whole. */
const mostDifferences = 400;

/**
 * The shortest edit, found in a time that grows with the lines and the differences, not with their product: Myers, "An
 * O(ND) Difference Algorithm and Its Variations" (1986).
 */
function compare(old: readonly string[], now: readonly string[]): Step[] {
  const ways = farthestWays(old, now);
  if (ways === undefined) return [...old.map(taken), ...now.map(added)];
  const steps: Step[] = [];
  let [i, j] = [old.length, now.length];
  const keepDownTo = (from: number) => {
    for (; i > from; i -= 1, j -= 1) steps.push(kept(old[i - 1] ?? ""));
  };
  for (let differences = ways.length - 1; differences > 0; differences -= 1) {
    const before = ways[differences - 1] ?? new Map();
    const isAdded = comesByAdding(before, i - j, differences);
    keepDownTo(reached(before, i - j, differences));
    steps.push(isAdded ? added(now[--j] ?? "") : taken(old[--i] ?? ""));
  }
  keepDownTo(0);
  return steps.reverse();
}

const kept = (line: string): Step => ({ sign: " ", line });
const taken = (line: string): Step => ({ sign: "-", line });
const added = (line: string): Step => ({ sign: "+", line });

/** By diagonal (old minus new): how far into the old text so many differences lead. */
type Way = ReadonlyMap<number, number>;

/** For each number of differences, until the end of both is reached. */
function farthestWays(old: readonly string[], now: readonly string[]): Way[] | undefined {
  const ways: Way[] = [];
  for (let differences = 0; differences <= mostDifferences; differences += 1) {
    const way = new Map<number, number>();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let i = reached(ways.at(-1), diagonal, differences);
      while (i < old.length && i - diagonal < now.length && old[i] === now[i - diagonal]) i += 1;
      way.set(diagonal, i);
      if (i >= old.length && i - diagonal >= now.length) return [...ways, way];
    }
    ways.push(way);
  }
  return undefined;
}

function reached(before: Way | undefined, diagonal: number, differences: number): number {
  if (before === undefined) return 0;
  return comesByAdding(before, diagonal, differences)
    ? (before.get(diagonal + 1) ?? 0)
    : (before.get(diagonal - 1) ?? 0) + 1;
}

/** Rather by a line added than by one taken, where that leads farther. */
function comesByAdding(before: Way, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && (before.get(diagonal - 1) ?? 0) < (before.get(diagonal + 1) ?? 0);
}
