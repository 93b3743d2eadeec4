import { guarded } from "./guard.ts";

/**
 * Time as a parameter. `now` is monotonic ms (stands still while the machine sleeps on most systems),
 * `wall` is epoch ms. `after` returns its own cancel; its timers never keep a process alive.
 */
export type Clock = {
  now(): number;
  wall(): number;
  after(ms: number, run: () => void): () => void;
};

/** What a timer of it throws never reaches the process. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(guarded("timer", run), ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
