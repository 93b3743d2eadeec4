import type { Clock } from "../../shared/clock.ts";

/**
 * When the plugin started, epoch ms, by what the wall clock says now: one that is set back takes the start along, or
 * everything that happens for as long would count as from before it. A machine that sleeps sets it forward.
 */
export function createBeginning(clock: Clock, startedAt: number): () => number {
  const offset = () => clock.wall() - clock.now();
  const [first, latest] = [offset(), Math.min(startedAt, clock.wall())];
  return () => latest + Math.min(0, offset() - first);
}
