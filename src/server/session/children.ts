import type { Clock } from "../../shared/clock.ts";
import { type Records, type SessionRecord, waitsForPerson } from "./records.ts";

/** A child nobody has heard of for this long counts as ended (product.md decision 5). */
const lostChildMs = 30 * 60_000;

/** Which sessions below another still run. One that waits for the person does, however long it takes them. */
export function createChildren({ clock, records }: { clock: Clock; records: Records }) {
  const lostInMs = (child: SessionRecord): number => child.heardAt + lostChildMs - clock.now();

  const works = (child: SessionRecord): boolean =>
    (child.turn.phase === "working" || child.launched) && lostInMs(child) > 0;

  return {
    anyRuns(id: string): boolean {
      for (const child of records.below(id)) if (waitsForPerson(child) || works(child)) return true;
      return false;
    },
    /** When one of them will count as ended if nothing more is heard, ms from now; undefined: none ever will. */
    nextLossMs(id: string): number | undefined {
      let least: number | undefined;
      for (const child of records.below(id))
        if (!waitsForPerson(child) && works(child)) least = Math.min(least ?? lostChildMs, lostInMs(child));
      return least;
    },
  };
}
