import type { Clock } from "./clock.ts";

/** The promise's value, or undefined when it rejects or takes longer than `ms`. Never rejects. */
export function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      () => {
        cancel();
        resolve(undefined);
      },
    );
  });
}
