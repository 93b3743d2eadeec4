import type { Clock } from "../shared/clock.ts";
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
  let calling = false;
  let next: CallReport | undefined;
  let viewer: string | undefined;
  let over = false;

  async function work(): Promise<void> {
    calling = true;
    while (next !== undefined && !over) {
      const report = next;
      next = undefined;
      const answer = await calls.report(report);
      viewer = answer?.ok ? report.viewer : viewer;
      relay = answer?.relay;
      if (answer === undefined) restUntil = clock.now() + restMs;
    }
    calling = false;
  }

  return {
    tell(report) {
      if (over || clock.now() < restUntil) return;
      if (relay !== undefined && isWelcomeAt(relay)) return;
      next = report;
      if (!calling) void work();
    },
    stop() {
      over = true;
      if (viewer !== undefined) void calls.gone(viewer);
    },
  };
}
