/** The words of `docs/decisions.md`: a code may be added, but never changes its meaning. */
export type AlertKind = "pause" | "done" | "error";
export type Outcome = "delivered" | "suppressed" | "silent" | "deferred" | "withdrawn" | "failed";

export type DeliveredReason = "unattended" | "attended" | "left" | "unseen" | "overdue" | "stuck" | "asked-for";
export type SilentReason =
  | "aborted"
  | "dismissed"
  | "shutdown"
  | "superseded"
  | "shape-unknown"
  | "synthetic"
  | "no-real-work"
  | "delegated"
  | "child"
  | "pending-ask"
  | "empty"
  | "too-short"
  | "mode-none"
  | "duplicate"
  | "auto-answered"
  | "batched"
  | "muted"
  | "quiet-hours"
  | "excluded";
export type DeferredReason = "attended" | "children-running" | "more-queued";
/** `ended`: the session stopped without an answer. `shutdown`: nobody can answer any more. */
export type WithdrawnReason = "answered" | "seen" | "resumed" | "summarised" | "ended" | "shutdown";
/** `internal`: a bug of ours met the decision; `beckon.log` has it. */
export type FailedReason = "no-channel" | "channel-error" | "internal";
export type Reason = DeliveredReason | SilentReason | DeferredReason | WithdrawnReason | FailedReason;

/** What kept a banner from being seen although it was taken. */
export type Hidden = "do-not-disturb" | "locked";

export type ChannelName = "banner" | "voice" | "sound" | "terminal" | "push";

/**
 * One decision, as printed by `beckon replay` and (without `message`) as written to the journal.
 * `at` is monotonic ms of the clock that made it; `by` names the terminal that suppressed it.
 */
export type Decision = {
  at: number;
  alert: AlertKind | "notify";
  sessionID: string;
  requestID?: string;
  outcome: Outcome;
  reason: Reason;
  channels: ChannelName[];
  title?: string;
  message?: string;
  by?: string;
  hidden?: Hidden[];
};
