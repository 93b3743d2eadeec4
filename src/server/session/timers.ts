import type { Clock } from "../../shared/clock.ts";

/** One timer a key; setting it again replaces the earlier one. */
export function createTimers(clock: Clock) {
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
          run();
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
