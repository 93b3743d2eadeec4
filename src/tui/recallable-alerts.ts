import type { RaiseRequest } from "../shared/protocol.ts";
import type { TerminalAlerts } from "./terminal-alerts.ts";

export type RecallableAlerts = {
  /** False when nothing was written, or it was called off before it could be. */
  raise(alert: RaiseRequest): Promise<boolean>;
  takeBack(key: string): boolean;
};

/**
 * An alert is written a turn after it was heard. A terminal that was stopped or slept hears at once all that was said
 * meanwhile: the alert, and behind it that the server waited in vain, called it off and asked another terminal.
 */
export function createRecallableAlerts(alerts: Omit<TerminalAlerts, "abilities">): RecallableAlerts {
  const heard = new Map<string, RaiseRequest>();
  return {
    async raise(alert) {
      heard.set(alert.key, alert);
      await Promise.all([new Promise(setImmediate), alerts.prepare()]);
      if (heard.get(alert.key) !== alert) return false;
      heard.delete(alert.key);
      return alerts.raise(alert);
    },
    takeBack(key) {
      heard.delete(key);
      return alerts.takeBack(key);
    },
  };
}
