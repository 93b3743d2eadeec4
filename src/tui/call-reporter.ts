import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../shared/clock.ts";
import { guarded, promising, unattended } from "../shared/guard.ts";
import type { CallReport } from "../shared/plugin-call.ts";
import type { PluginCalls } from "./plugin-calls.ts";

/** A server part that does not answer is asked again after this long: its absence is normal. */
const restMs = 30_000;

export type CallReporter = {
  /** The newest state is what counts: one call at a time, what came meanwhile follows. */
  tell(report: CallReport): void;
  stop(): void;
};

export type CallReporterDeps = {
  clock: Clock;
  calls: PluginCalls;
  /** Whether we are welcome at that relay: then its process hears us already. */
  isWelcomeAt(relayID: string): boolean;
};

/**
 * Reports through opencode itself for as long as the server this terminal is attached to has not been reached by
 * socket: a terminal attached over the network, or a relay that could not start.
 */
export function createCallReporter({ clock, calls, isWelcomeAt }: CallReporterDeps): CallReporter {
  let relay: string | undefined;
  let restUntil = Number.NEGATIVE_INFINITY;
  let working: Promise<void> | undefined;
  let next: CallReport | undefined;
  /** What the server part goes by, as far as we know: an answer that never came does not mean that it heard nothing. */
  let held: CallReport | undefined;
  let over = false;

  const work = promising("plugin call", undefined, async () => {
    while (next !== undefined && !over) {
      held = next;
      next = undefined;
      const answer = await calls.report(held);
      relay = answer?.relay;
      if (answer === undefined) restUntil = clock.now() + restMs;
    }
    working = undefined;
  });

  /** Taken to look at something, which is not so any more. */
  const misleads = ({ report }: CallReport): boolean =>
    held?.report.focus === "focused" && !isDeepStrictEqual(looks(held.report), looks(report));

  const leave = guarded("plugin call", async () => {
    if (held !== undefined) await calls.gone(held.viewer);
  });

  return {
    tell(report) {
      if (over || (clock.now() < restUntil && !misleads(report))) return;
      if (relay !== undefined && isWelcomeAt(relay)) return;
      next = report;
      working ??= work();
    },
    stop() {
      over = true;
      if (working === undefined) leave();
      else unattended("plugin call", working.then(leave));
    },
  };
}

const looks = ({ focus, view }: CallReport["report"]) => ({ focus, view });
