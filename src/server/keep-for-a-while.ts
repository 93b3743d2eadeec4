import { atExit } from "../shared/at-exit.ts";
import type { Clock } from "../shared/clock.ts";

export type Kept = { clock: Clock; ms: number; forgotten(): void; lastWords(): void };

/**
 * What the last instance of a process left lies here until another one comes. When none does, or the process ends
 * first, the last words are said. The returned function is for the one that comes.
 */
export function keepForAWhile({ clock, ms, forgotten, lastWords }: Kept): () => void {
  const taken = () => {
    cancel();
    noExit();
  };
  const bury = () => {
    taken();
    forgotten();
    lastWords();
  };
  const cancel = clock.after(ms, bury);
  const noExit = atExit(bury);
  return taken;
}
