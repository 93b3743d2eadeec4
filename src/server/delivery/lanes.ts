import { unattended } from "../../shared/guard.ts";

/** Runs the jobs of one key one after the other, those of different keys at once; one that fails holds up none. */
export function createLanes() {
  const tails = new Map<string, Promise<unknown>>();
  return {
    isBusy: (key: string) => tails.has(key),
    run<T>(key: string, job: () => Promise<T>): Promise<T> {
      const tail = tails.get(key);
      const done = tail ? tail.then(job, job) : job();
      tails.set(key, done);
      const leave = () => {
        if (tails.get(key) === done) tails.delete(key);
      };
      unattended("lane", done.then(leave, leave));
      return done;
    },
  };
}
