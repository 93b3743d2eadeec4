import type { Call } from "./call.ts";
import type { Decision, DeliveredReason, Hidden } from "./decision.ts";
import type { Handed } from "./deliver.ts";

/** What every line about a call begins with. */
export const lineOf = ({ alert, sessionID, requestID }: Call, at: number) => ({
  at,
  alert: alert.kind,
  sessionID,
  ...(requestID === undefined ? {} : { requestID }),
});

export type Told = { at: number; handed: Handed; reason: DeliveredReason; hidden?: readonly Hidden[] };

/** The line of a delivery; undefined for one that was taken back before it left. */
export function deliveryLine(call: Call, { at, handed, reason, hidden = [] }: Told): Decision | undefined {
  const { title, message, channels, failure = "channel-error" } = handed;
  const told = { ...lineOf(call, at), channels, title, message };
  if (channels.length > 0)
    return { ...told, outcome: "delivered", reason, ...(hidden.length === 0 ? {} : { hidden: [...hidden] }) };
  return failure === "dropped" ? undefined : { ...told, outcome: "failed", reason: failure };
}

/** A bug of ours met what was being decided about it: nobody was called. */
export const brokenLine = (call: Call, at: number): Decision => ({
  ...lineOf(call, at),
  outcome: "failed",
  reason: "internal",
  channels: [],
});

/** An ask that was answered, or an end that was overtaken, before anybody was called. */
export const droppedLine = (call: Call, at: number): Decision => ({
  ...lineOf(call, at),
  outcome: "silent",
  reason: call.alert.kind === "pause" ? "auto-answered" : "superseded",
  channels: [],
});
