import type {
  Decision,
  DeferredReason,
  DeliveredReason,
  FailedReason,
  Hidden,
  SilentReason,
  WithdrawnReason,
} from "../core/decision.ts";

/** Every outcome and reason in plain words; `docs/decisions.md` says the same at length. */
const words = {
  delivered: {
    unattended: "nobody was looking at it",
    attended: "you were looking at it, and what you hear was not to be held back",
    left: "you had seen it, left, and it still waited",
    unseen: "you seemed to look, but no sign of life followed",
    overdue: "a reminder: it still waited",
    stuck: "the model's provider kept failing and opencode kept retrying",
    "asked-for": "asked for: by the model itself, or by you as a test",
  } satisfies Record<DeliveredReason, string>,
  suppressed: {
    attended: "you were looking at it",
  },
  silent: {
    aborted: "you stopped it yourself",
    dismissed: "you dismissed the question or refused the permission, so you were there",
    shutdown: "opencode was shutting down",
    superseded: "a newer run took its place",
    "shape-unknown": "it could not be told what the round was about",
    synthetic: "no prompt of yours started the round",
    "no-real-work": "the round only answered or wrote todos, no real tool ran",
    delegated: "the round only handed work to subagents",
    child: "it was a subagent's session; its parent tells you",
    "pending-ask": "a question or permission was still open, and that already called you",
    empty: "nothing happened in the round",
    "too-short": "the round was shorter than alerts.done.minSeconds",
    "mode-none": "alerts of this kind are switched off",
    duplicate: "this request had been told already",
    "auto-answered": "it was answered before anybody was needed",
    batched: "it was told together with another request of the same session",
    muted: "alerts were muted",
    "quiet-hours": "it was within quiet hours",
    excluded: "the session's title is on your exclude list",
  } satisfies Record<SilentReason, string>,
  deferred: {
    attended: "you were looking at it; it comes if you leave before answering",
    "children-running": "subagents were still at work; it comes when they are done",
    "more-queued": "another prompt was already queued",
  } satisfies Record<DeferredReason, string>,
  withdrawn: {
    answered: "it was answered",
    seen: "you came and looked",
    resumed: "the session went back to work",
    ended: "the session stopped before it was answered",
    shutdown: "opencode ended before it was answered",
    summarised: "a summary of several finished sessions took its place",
  } satisfies Record<WithdrawnReason, string>,
  failed: {
    "no-channel": "no channel could be used here",
    "channel-error": "every channel failed",
    internal: "a bug of beckon's own met it; `beckon.log` has it, please report it",
  } satisfies Record<FailedReason, string>,
} satisfies Record<Decision["outcome"], Record<string, string>>;

const outcomeWords = {
  delivered: "called you",
  suppressed: "held back",
  silent: "silent",
  deferred: "held for later",
  withdrawn: "taken back",
  failed: "not delivered",
} satisfies Record<Decision["outcome"], string>;

/** «silent: you stopped it yourself». A code of a newer version than this one is shown as it is. */
export function decisionWords(outcome: string, reason: string): string {
  const reasons = member(words, outcome) ?? {};
  return `${member(outcomeWords, outcome) ?? outcome}: ${member(reasons, reason) ?? reason}`;
}

const hiding = {
  "do-not-disturb": "do not disturb was on",
  locked: "the screen was locked",
} satisfies Record<Hidden, string>;

/** Why it may not have been seen: «do not disturb was on, the screen was locked». */
export const hiddenWords = (hidden: readonly string[]): string =>
  hidden.map((why) => member(hiding, why) ?? why).join(", ");

function member<V>(all: Record<string, V>, key: string): V | undefined {
  return Object.hasOwn(all, key) ? all[key] : undefined;
}

/** Every pair that has words, for the documentation's test. */
export const wordedDecisions = Object.entries(words).flatMap(([outcome, reasons]) =>
  Object.keys(reasons).map((reason) => ({ outcome, reason })),
);
