import type { Clock } from "../../shared/clock.ts";

/** Frames a second one connection may send, on average and in one burst. A terminal of ours sends at most 40. */
export const framesPerSecond = 50;

/** True while the sender keeps to its rate. */
export function createFrameRate({ now }: Pick<Clock, "now">): () => boolean {
  let left = framesPerSecond;
  let at = now();
  return () => {
    const time = now();
    left = Math.min(framesPerSecond, left + ((time - at) / 1_000) * framesPerSecond);
    at = time;
    left -= 1;
    return left >= 0;
  };
}
