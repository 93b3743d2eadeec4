/** More `done` banners than this at once, and the oldest become one (issue 5, many at once). */
const mostSeparate = 3;
/** How many stay on their own then, so that a summary never names a single session. */
const keptSeparate = 2;

export type SummaryDeps = {
  /** Sessions whose `done` banner is up, oldest first. */
  finished(): string[];
  fold(sessionID: string): void;
  show(sessionIDs: readonly string[]): void;
  /** It names fewer now; one that is not up any more stays away. */
  update(sessionIDs: readonly string[]): void;
  takeBack(): void;
  /** Whom the summary names that is up already. */
  seed?: readonly string[];
};

export type Summary = ReturnType<typeof createSummary>;

/** One banner that names the sessions whose own `done` banners gave way. Asks are never part of it. */
export function createSummary({ finished, fold, show, update, takeBack, seed = [] }: SummaryDeps) {
  const named = new Set(seed);

  return {
    /** After a banner came up. */
    review(): void {
      const up = finished();
      if (up.length <= mostSeparate) return;
      const giveWay = up.slice(0, up.length - keptSeparate);
      for (const sessionID of giveWay) named.add(sessionID);
      for (const sessionID of giveWay) fold(sessionID);
      show([...named]);
    },
    /** The session works again, was seen or is gone. */
    without(sessionID: string): void {
      if (!named.delete(sessionID)) return;
      if (named.size === 0) takeBack();
      else update([...named]);
    },
    named: (): string[] => [...named],
    /** The person closed it: they know of all it named. */
    closedByPerson(): void {
      named.clear();
    },
  };
}
