import type { Clock } from "../../shared/clock.ts";

/** One timer a key; setting it again replaces the earlier one. `enter`: what is run is run through it. */
export function createTimers(clock: Clock, enter = (_key: string, run: () => void): void => run()) {
  const cancels = new Map<string, () => void>();

  function clear(key: string): void {
    cancels.get(key)?.();
    cancels.delete(key);
  }

  return {
    set(key: string, ms: number, run: () => void): void {
      clear(key);
      cancels.set(
        key,
        clock.after(ms, () => {
          cancels.delete(key);
          enter(key, run);
        }),
      );
    },
    clear,
    has: (key: string) => cancels.has(key),
    stop(): void {
      for (const cancel of cancels.values()) cancel();
      cancels.clear();
    },
  };
}
