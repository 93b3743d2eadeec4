/** Runs the jobs of one key one after the other, those of different keys at once. A job must not reject. */
export function createLanes() {
  const tails = new Map<string, Promise<unknown>>();
  return {
    isBusy: (key: string) => tails.has(key),
    run<T>(key: string, job: () => Promise<T>): Promise<T> {
      const tail = tails.get(key);
      const done = tail ? tail.then(job) : job();
      tails.set(key, done);
      void done.finally(() => {
        if (tails.get(key) === done) tails.delete(key);
      });
      return done;
    },
  };
}
