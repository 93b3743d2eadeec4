import type { AlertKind, Decision, DeliveredReason, Hidden, SilentReason } from "./decision.ts";
import type { Step } from "./environment.ts";
import type { Handed, LineFacts } from "./state.ts";
import { subjectOf } from "./subject.ts";

/** One decision line. What was decided in silence gets its title, too: a person looks for it by that. */
export function record(step: Step, decision: Decision): void {
  const title = decision.title ?? subjectOf(step, decision.sessionID).title;
  step.effects.push({ do: "record", decision: { ...decision, title } });
}

export function recordSilent(step: Step, line: LineFacts, reason: SilentReason): void {
  record(step, { at: step.env.now, ...line, outcome: "silent", reason, channels: [] });
}

export function silent(
  step: Step,
  alert: AlertKind,
  sessionID: string,
  reason: SilentReason,
  requestID?: string,
): void {
  recordSilent(step, { alert, sessionID, ...(requestID === undefined ? {} : { requestID }) }, reason);
}

export function deferred(step: Step, sessionID: string, reason: "children-running" | "more-queued"): void {
  record(step, { at: step.env.now, alert: "done", sessionID, outcome: "deferred", reason, channels: [] });
}

/** A request that was answered, or an end that was overtaken, before anybody was called. */
export const recordOvertaken = (step: Step, line: LineFacts): void =>
  recordSilent(step, line, line.alert === "pause" ? "auto-answered" : "superseded");

export type Delivered = { at: number; handed: Handed; reason: DeliveredReason; hidden?: readonly Hidden[] };

/** The line of a delivery; false for one that was taken back before it left. */
export function recordDelivery(step: Step, line: LineFacts, { at, handed, reason, hidden = [] }: Delivered): boolean {
  const { title, message, channels, failure = "channel-error" } = handed;
  const told = { at, ...line, channels, title, message };
  if (channels.length > 0)
    record(step, { ...told, outcome: "delivered", reason, ...(hidden.length === 0 ? {} : { hidden: [...hidden] }) });
  else if (failure === "dropped") return false;
  else record(step, { ...told, outcome: "failed", reason: failure });
  return true;
}
