import type { Clock } from "../../shared/clock.ts";
import type { Records, SessionRecord } from "./records.ts";

/** A child nobody has heard of for this long counts as ended (product.md decision 5). */
const lostChildMs = 30 * 60_000;

/** Which sessions below another still run. */
export function createChildren({ clock, records }: { clock: Clock; records: Records }) {
  const lostInMs = (child: SessionRecord): number => child.heardAt + lostChildMs - clock.now();

  const runs = (child: SessionRecord): boolean =>
    (child.turn.phase === "working" || child.launched) && lostInMs(child) > 0;

  return {
    anyRuns(id: string): boolean {
      for (const child of records.below(id)) if (runs(child)) return true;
      return false;
    },
    /** When one of them will count as ended if nothing more is heard, ms from now. */
    nextLossMs(id: string): number {
      let least = lostChildMs;
      for (const child of records.below(id)) if (runs(child)) least = Math.min(least, lostInMs(child));
      return least;
    },
  };
}
