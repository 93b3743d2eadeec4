import type { Decision } from "../core/decision.ts";
import type { StatusReport } from "./status.ts";

/** Decisions kept for a status; the journal has them all. */
const most = 20;

type Told = StatusReport["decisions"][number];

export type RecentDecisions = ReturnType<typeof createRecentDecisions>;

/** The last decisions of this process, without what the banners said. */
export function createRecentDecisions() {
  const told: Told[] = [];
  return {
    /** `wall`: epoch ms of the decision. */
    add({ at: _, message: __, ...decision }: Decision, wall: number): Told {
      const entry = { ...decision, time: new Date(wall).toISOString() };
      told.push(entry);
      if (told.length > most) told.shift();
      return entry;
    },
    all: (): Told[] => [...told],
  };
}
