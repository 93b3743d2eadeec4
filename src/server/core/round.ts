import { silentError } from "./errors.ts";
import type { Trigger } from "./event.ts";
import { classify } from "./work.ts";

/**
 * `since`: when it was first heard live, monotonic ms; undefined: only from before the plugin's start.
 * `answering`: the last attempt has begun to bring something. Should it break off, the episode goes on.
 */
type Retry = { since?: number; attempt: number; told: boolean; answering?: true };

/** The facts of one round: from the idle→busy edge until its end has been decided. Times are monotonic ms. */
export type Round = {
  startedAt: number;
  /** Its newest idle→busy edge: a round that was woken goes on. */
  runsSince: number;
  /** Taken when it ended: how long the model worked, without the time it waited for the person. */
  workedMs: number;
  /** As seen live; undefined when the host told nothing. */
  trigger?: Trigger;
  /** Began before this plugin did: it builds state and never alerts. */
  old: boolean;
  /** A model step began. Without one the host did something of its own: a user's shell command, an undo. */
  stepped: boolean;
  error?: string;
  /** A refused permission or dismissed question, and nothing done since. */
  dismissed: boolean;
  retry?: Retry;
  ownWork: boolean;
  dispatched: boolean;
  childWork: boolean;
  /** Somebody has seen the end, says the host. */
  seen: boolean;
  /** Time spent waiting for the person, ms. */
  waitedMs: number;
  waitingSince?: number;
  /** Taken when it ended: an ask of the session's own still waited. */
  askWaits: boolean;
  /** Taken when it ended: the host has a prompt it did not read, and will run again for it. */
  leftUnread: boolean;
  /** A line about this end was already written. */
  told: boolean;
};

/**
 * resting → running → settling → resting, or → deferred (its children still run, or more is queued) → settling …
 * It settles until its verdict is known: its window, then what the host is asked about it.
 * A repeated busy inside a round never resets it; a second idle is nothing.
 */
export type Turn =
  | { phase: "resting" }
  | { phase: "running"; round: Round }
  | { phase: "settling"; round: Round; awaits: "window" | "place" | "messages" }
  | { phase: "deferred"; round: Round; why: "children-running" | "more-queued" };

export const resting: Turn = { phase: "resting" };

export const newRound = (startedAt: number, trigger: Trigger | undefined, old: boolean): Round => ({
  startedAt,
  runsSince: startedAt,
  workedMs: 0,
  ...(trigger === undefined ? {} : { trigger }),
  old,
  stepped: false,
  dismissed: false,
  ownWork: false,
  dispatched: false,
  childWork: false,
  seen: false,
  waitedMs: 0,
  askWaits: false,
  leftUnread: false,
  told: false,
});

/** What happens inside a round; its edges (start, end) are in `round-lifecycle.ts`. */
export type RoundEvent =
  | { kind: "busyAgain" }
  | { kind: "prompted"; trigger: Trigger }
  | { kind: "stepStarted" }
  | { kind: "stepEnded" }
  | { kind: "answering" }
  | { kind: "retrying"; attempt: number; at?: number }
  | { kind: "failed"; name: string }
  | { kind: "toolSucceeded"; tool: string; input?: unknown }
  | { kind: "childWorked" }
  | { kind: "refused" }
  | { kind: "waits"; at: number }
  | { kind: "waitsNoMore"; at: number }
  | { kind: "viewed" };

const without = <K extends keyof Round>(round: Round, key: K): Omit<Round, K> => {
  const { [key]: _, ...rest } = round;
  return rest;
};

/** The round after one event. Pure. */
export function nextRound(round: Round, event: RoundEvent): Round {
  switch (event.kind) {
    case "busyAgain":
      return without(round, "error");
    case "prompted":
      // A person who joins makes it theirs; the host's own texts in mid-round change nothing.
      return event.trigger === "typed" || round.trigger === undefined ? { ...round, trigger: event.trigger } : round;
    case "stepStarted":
      return { ...without(round, "error"), stepped: true, dismissed: false };
    case "stepEnded":
      return without(round, "retry");
    case "answering":
      return round.retry === undefined ? round : { ...round, retry: { ...round.retry, answering: true } };
    case "retrying":
      return { ...without(round, "error"), retry: nextRetry(round.retry, event) };
    case "failed":
      return { ...round, error: event.name };
    case "toolSucceeded":
      return afterTool(round, event.tool, event.input);
    case "childWorked":
      return { ...round, childWork: true };
    case "refused":
      return { ...round, dismissed: true };
    case "waits":
      return { ...round, waitingSince: round.waitingSince ?? event.at };
    case "waitsNoMore":
      return round.waitingSince === undefined
        ? round
        : { ...without(round, "waitingSince"), waitedMs: round.waitedMs + event.at - round.waitingSince };
    case "viewed":
      return { ...round, seen: true };
  }
}

function nextRetry(retry: Retry | undefined, { attempt, at }: { attempt: number; at?: number }): Retry {
  const since = retry?.since ?? at;
  return { ...(since === undefined ? {} : { since }), attempt, told: retry?.told ?? false };
}

function afterTool(round: Round, tool: string, input: unknown): Round {
  const next: Round = { ...without(round, "retry"), dismissed: false };
  switch (classify(tool, input)) {
    case "real":
      return { ...next, ownWork: true };
    case "dispatched":
      return { ...next, dispatched: true };
    case "bookkeeping":
      return next;
  }
}

/** How long the model had worked by then. */
export const workedUntil = (round: Round, at: number): number => {
  const stillWaiting = round.waitingSince === undefined ? 0 : at - round.waitingSince;
  return Math.max(0, at - round.startedAt - round.waitedMs - stillWaiting);
};

/** A stop by the person is final, whatever wakes the session afterwards. */
export const endedForGood = ({ dismissed, retry, error }: Round): boolean =>
  dismissed || retry !== undefined || (error !== undefined && silentError(error) !== undefined);
