import type { Clock } from "../../shared/clock.ts";
import { guarded, promising } from "../../shared/guard.ts";
import { within } from "../../shared/within.ts";
import type { HostQueries } from "./host.ts";

/** A disk that hangs (a network share) holds no alert up for longer: what was read last counts then. */
const longestLookMs = 1_000;

export type FreshSettings = {
  /** Reads the files again; resolves when they are read, or not in time. Never rejects. */
  look(): Promise<void>;
  /** Whatever this clock wakes finds the files read. */
  clock: Clock;
  /** So does whoever waited for an answer of the host. */
  host(queries: HostQueries): HostQueries;
};

/**
 * What decides does so at once, on configuration and mute as last read, and no hook may wait for a disk. So the reading
 * stands in front of it: an alert leaves only after a timer or an answer of the host, and each of them ends with a look
 * at the files. A file that has not changed costs one question for its time.
 */
export function createFreshSettings({ clock, read }: { clock: Clock; read(): Promise<void> }): FreshSettings {
  const reading = promising("reading the settings", undefined, read);
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    looking ??= reading().finally(() => {
      looking = undefined;
    });
    await within(clock, longestLookMs, looking);
  }

  const fresh = async <T>(answer: Promise<T>): Promise<T> => {
    await answer.catch(() => undefined);
    await look();
    return answer;
  };

  return {
    look,
    clock: {
      ...clock,
      after(ms, run) {
        let over = false;
        const wake = guarded("timer", () => over || run());
        const cancel = clock.after(ms, () => void look().then(wake));
        return () => {
          over = true;
          cancel();
        };
      },
    },
    host: ({ session, messages, ...others }) => ({
      ...others,
      session: (sessionID) => fresh(session(sessionID)),
      messages: (sessionID) => fresh(messages(sessionID)),
    }),
  };
}
