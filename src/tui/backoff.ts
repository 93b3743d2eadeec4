export const shortestMs = 250;
export const longestMs = 5_000;

/**
 * Wait before connection attempt `attempt` (1 = the first retry), ms: doubling, capped, and spread so that many
 * terminals do not come back at once. `dice` in [0, 1).
 */
export const backoffMs = (attempt: number, dice: number): number => {
  const full = Math.min(longestMs, shortestMs * 2 ** Math.min(attempt - 1, 10));
  return Math.max(shortestMs, Math.round(full * (0.75 + dice / 4)));
};
