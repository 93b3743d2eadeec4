import { type Clock, systemClock } from "../../src/shared/clock.ts";

/**
 * Real time whose timers take ten times as long: what is expected to work is not failed by a busy machine. Tests of
 * deadlines use the real clock.
 */
export const patientClock: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms * 10, run) };
