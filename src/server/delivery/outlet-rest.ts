import type { Clock } from "../../shared/clock.ts";
import type { DeliveryFailure } from "./channel.ts";

const firstRestMs = 60_000;
const longestRestMs = 15 * 60_000;

/**
 * When an outlet that failed may lead again: 1 minute, doubling to 15, forgotten at the first success.
 * A failure during a rest (tried as the last resort) does not lengthen it.
 */
export function createRest(clock: Clock) {
  let until = 0;
  let nextMs = firstRestMs;
  let reason: DeliveryFailure = "unavailable";
  const isResting = () => clock.now() < until;
  return {
    isResting,
    /** What it failed with last. */
    reason: () => reason,
    succeeded() {
      until = 0;
      nextMs = firstRestMs;
    },
    failed(why: DeliveryFailure) {
      reason = why;
      if (isResting()) return;
      until = clock.now() + nextMs;
      nextMs = Math.min(nextMs * 2, longestRestMs);
    },
  };
}
