/** The known key a misspelt one was probably meant to be; none when nothing is near. */
export function nearestKey(written: string, known: readonly string[]): string | undefined {
  const plain = written
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, "");
  const begun = known.filter((key) => plain.length >= 4 && key.toLowerCase().startsWith(plain));
  const ranked = known
    .map((key) => ({ key, steps: distance(plain, key.toLowerCase()) }))
    .sort((one, other) => one.steps - other.steps);
  const best = ranked[0];
  const near = best !== undefined && best.steps <= Math.max(1, Math.floor(best.key.length / 3));
  return near ? best.key : begun[0];
}

/** Edits from one word to the other; two swapped neighbours count as one (optimal string alignment). */
export function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
