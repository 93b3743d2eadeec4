import type { Clock } from "./clock.ts";
import { guarded } from "./guard.ts";

/** Resolves after so many ms, or as soon as the signal says so. */
export const wait = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = guarded("wait", () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    });
    const cancel = clock.after(ms, end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
