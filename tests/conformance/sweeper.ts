import type { Clock } from "../../src/shared/clock.ts";
import { type Location, locationKey } from "./event.ts";
import type { Executor } from "./executor.ts";
import type { Session } from "./session.ts";

export type SweeperDeps = {
  clock: Clock;
  sessions: Map<string, Session>;
  executor: Executor;
  locations(): Location[];
  close(location: Location): Promise<void>;
};

const sweepEveryMs = 60_000;
export const idleMs = 60 * 60_000;

/** §2.5: every minute. Stops what makes no progress for an hour, closes locations nobody used for one. */
export function startSweeper({ clock, sessions, executor, locations, close }: SweeperDeps) {
  const used = new Map<string, number>();

  const inLocation = (location: Location) =>
    [...sessions.values()].filter((session) => locationKey(session.location) === locationKey(location));
  const lastUse = (location: Location) =>
    Math.max(used.get(locationKey(location)) ?? 0, ...inLocation(location).map((session) => session.lastEventAt));

  async function sweep() {
    const now = clock.wall();
    const stuck = [...sessions.values()].filter(
      (session) => executor.isRunning(session) && now - session.lastEventAt >= idleMs,
    );
    await executor.interruptAll(
      "inactivity",
      stuck.map(({ id }) => id),
    );
    for (const location of locations()) {
      const busy = inLocation(location).some((session) => executor.isRunning(session));
      if (!busy && now - lastUse(location) >= idleMs) await close(location);
    }
  }

  let cancel = () => {};
  const again = () => {
    cancel = clock.after(sweepEveryMs, () => {
      void sweep();
      again();
    });
  };
  again();
  return {
    sweep,
    /** The location was just used. §11.11 of the contract: whether an rpc call counts is not known; here it does. */
    touch: (location: Location) => void used.set(locationKey(location), clock.wall()),
    stop: () => cancel(),
  };
}
