import type { Clock } from "../../src/shared/clock.ts";

/** Time moves only by `advance`: timers due on the way run in order. */
export function createHandCrankedClock(
  startWall = Date.UTC(2026, 0, 5, 10),
): Clock & { advance(ms: number): void; waiting(): number; setWall(byMs: number): void } {
  let now = 0;
  let set = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    wall: () => startWall + now + set,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
    waiting: () => timers.length,
    /** Somebody sets the wall clock forward or back. */
    setWall(byMs) {
      set += byMs;
    },
  };
}
