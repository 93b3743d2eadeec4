import type { Guard } from "../../shared/guard.ts";

/** What is on its way and has no line yet: a process that ends waits for it. */
export function createUnfinished({ report }: Guard) {
  const all = new Set<Promise<unknown>>();
  return {
    add(what: string, work: Promise<unknown>): void {
      const done = work.catch((bug) => report(what, bug)).finally(() => all.delete(done));
      all.add(done);
    },
    /** Also of what was added meanwhile. */
    async finished(): Promise<void> {
      while (all.size > 0) await Promise.all(all);
    },
  };
}

export type Unfinished = ReturnType<typeof createUnfinished>;
