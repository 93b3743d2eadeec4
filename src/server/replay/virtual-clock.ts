import type { Clock } from "../../shared/clock.ts";

type Timer = { due: number; serial: number; run: () => void; background: boolean };

export type VirtualClock = Clock & {
  /** For heartbeats and the like, which never keep a replay going. */
  background: Clock["after"];
  /** Fires every timer due until `to`, each followed by what it set off. */
  advance(to: number): Promise<void>;
  /** Runs on until no timer is left, at most to `limit`. */
  drain(limit: number): Promise<void>;
  sleep(ms: number): void;
};

/** Lets everything that waits on resolved promises run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A hand-cranked clock: `now` starts at 0; timers of the same moment fire in the order they were set. */
export function createVirtualClock(startedAt: number): VirtualClock {
  const timers = new Set<Timer>();
  let now = 0;
  let slept = 0;
  let serial = 0;

  function add(ms: number, run: () => void, background: boolean): () => void {
    serial += 1;
    const timer = { due: now + Math.max(0, Math.ceil(ms)), serial, run, background };
    timers.add(timer);
    return () => timers.delete(timer);
  }

  function next(limit: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.due > limit) continue;
      if (first === undefined || timer.due < first.due || (timer.due === first.due && timer.serial < first.serial))
        first = timer;
    }
    return first;
  }

  async function fire(timer: Timer): Promise<void> {
    timers.delete(timer);
    now = Math.max(now, timer.due);
    timer.run();
    await settle();
  }

  async function advance(to: number): Promise<void> {
    await settle();
    for (let timer = next(to); timer !== undefined; timer = next(to)) await fire(timer);
    now = Math.max(now, to);
  }

  const waits = (): boolean => [...timers].some((timer) => !timer.background);

  return {
    now: () => now,
    wall: () => startedAt + now + slept,
    after: (ms, run) => add(ms, run, false),
    background: (ms, run) => add(ms, run, true),
    advance,
    async drain(limit) {
      await settle();
      while (waits()) {
        const timer = next(limit);
        if (timer === undefined) return;
        await fire(timer);
      }
    },
    sleep(ms) {
      slept += ms;
    },
  };
}
