import type { DeferredReason, SilentReason } from "./decision.ts";
import { silentError } from "./errors.ts";
import type { Placement } from "./family.ts";
import type { Shape } from "./message-history.ts";
import type { Round } from "./round.ts";

/** What the end of a round deserves, before anybody asks who is looking. */
export type Verdict =
  | { alert: "done"; workedMs: number }
  | { alert: "error"; name: string }
  | { silent: SilentReason }
  | { deferred: Exclude<DeferredReason, "attended"> };

/** The settings a verdict reads. */
export type VerdictRules = { work: "tools" | "any"; delegated: "silent" | "alert"; minSeconds: number };

/** Decided from the facts alone; undefined: the message list is needed. */
export function verdictFromFacts(round: Round, placement: Placement): Verdict | undefined {
  if (placement === "child") return { silent: "child" };
  if (round.error !== undefined) return round.dismissed ? fromDismissal(round.error) : fromError(round.error);
  if (round.retry !== undefined) return { silent: "aborted" }; // a stop during a retry wait has no error (opencode 1.18.33)
  if (round.dismissed) return { silent: "dismissed" };
  if (round.askWaits) return { silent: "pending-ask" };
  if (!round.stepped) return { silent: "empty" };
  if (round.old) return { silent: "shape-unknown" };
  return undefined;
}

export type Surroundings = {
  shape: Shape | undefined;
  placement: Placement;
  /** Waiting for the person is running. */
  childrenRun: boolean;
  moreQueued: boolean;
  /** An ask of its own came after the end. */
  askWaits: boolean;
  /** Epoch ms; a round whose prompt is older belongs to a process that is gone. */
  pluginStarted: number;
};

/** The rest of the order, once the list was read or could not be had. */
export function verdictFromShape(round: Round, around: Surroundings, rules: VerdictRules): Verdict {
  const trigger = round.trigger ?? around.shape?.trigger;
  if (trigger === undefined || around.placement === "unknown") return { silent: "shape-unknown" };
  if (around.shape?.error !== undefined) return fromError(around.shape.error);
  if (round.trigger === undefined && isOlder(around.shape?.created, around.pluginStarted))
    return { silent: "shape-unknown" };
  if (trigger === "synthetic") return { silent: "synthetic" };
  const lacking = lackOfWork(round, around.childrenRun, rules);
  if (lacking !== undefined) return { silent: lacking };
  if (around.moreQueued) return { deferred: "more-queued" };
  if (around.childrenRun) return { deferred: "children-running" };
  if (around.askWaits) return { silent: "pending-ask" };
  if (round.workedMs < rules.minSeconds * 1_000) return { silent: "too-short" };
  return { alert: "done", workedMs: round.workedMs };
}

const fromError = (name: string): Verdict => {
  const silent = silentError(name);
  return silent === undefined ? { alert: "error", name } : { silent };
};

/** On 2.x the dismissal itself stops the run: the stop is not another reason (opencode 2.0.26). */
const fromDismissal = (name: string): Verdict =>
  silentError(name) === undefined ? fromError(name) : { silent: "dismissed" };

const isOlder = (created: number | undefined, started: number): boolean => created !== undefined && created < started;

function lackOfWork(round: Round, childrenRun: boolean, rules: VerdictRules): "no-real-work" | "delegated" | undefined {
  if (round.ownWork) return undefined;
  if (round.dispatched) {
    const mayCount = rules.delegated === "alert" && (round.childWork || childrenRun);
    return mayCount ? undefined : "delegated";
  }
  return rules.work === "any" ? undefined : "no-real-work";
}
