import type { Log } from "../../shared/log.ts";

/** What is on its way and has no line yet: a process that ends waits for it. */
export function createUnfinished(log: Log) {
  const all = new Set<Promise<unknown>>();
  return {
    add(what: string, work: Promise<unknown>): void {
      const done = work.catch((bug) => log(`${what}: ${String(bug)}`)).finally(() => all.delete(done));
      all.add(done);
    },
    /** Also of what was added meanwhile. */
    async finished(): Promise<void> {
      while (all.size > 0) await Promise.all(all);
    },
  };
}

export type Unfinished = ReturnType<typeof createUnfinished>;
