import type { RunProgram } from "./run-program.ts";

/** At most `most` programs run at a time; the others wait their turn. */
export function fewPrograms(run: RunProgram, most: number): RunProgram {
  let free = most;
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> => {
    if (free === 0) return new Promise((resolve) => waiting.push(resolve));
    free -= 1;
    return Promise.resolve();
  };
  const passOn = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return async (what) => {
    await turn();
    try {
      return await run(what); // one that is no longer wanted ends here at once
    } finally {
      passOn();
    }
  };
}
