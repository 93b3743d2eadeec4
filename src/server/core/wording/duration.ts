export type DurationUnits = { hours: string; minutes: string; seconds: string };

/** Two units at most: «12 s», «3 min 12 s», «1 h 5 min». Anything under a second counts as one. */
export function durationWords(ms: number, units: DurationUnits): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} ${units.seconds}`;
  if (minutes < 60) return twoUnits(minutes, units.minutes, seconds % 60, units.seconds);
  return twoUnits(Math.floor(minutes / 60), units.hours, minutes % 60, units.minutes);
}

const twoUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
