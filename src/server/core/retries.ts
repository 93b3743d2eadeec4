import { cancel, isScheduled, schedule } from "./agenda.ts";
import { openAlert } from "./alert.ts";
import type { Step } from "./environment.ts";
import { placementOf } from "./family.ts";
import { nextRound, type Round } from "./round.ts";
import type { Session } from "./state.ts";

/** So many attempts are told however little time they took. */
const mostAttempts = 5;

/** `old`: heard of from before the plugin's start. That alone tells nobody. */
export function retrying(step: Step, session: Session, attempt: number, old: boolean): void {
  if (session.turn.phase !== "running") return;
  const at = old ? {} : { at: step.env.now };
  const round = nextRound(session.turn.round, { kind: "retrying", attempt, ...at });
  session.turn = { phase: "running", round };
  watchRetries(step, session, round);
}

function watchRetries({ state, env }: Step, session: Session, { retry }: Round): void {
  const { error } = env.config.alerts;
  if (retry?.since === undefined || retry.told || error.stuckAfterSeconds === 0) return;
  if (placementOf(session) === "child") return;
  const due = { what: "stuck", id: session.id } as const;
  const stuckAt = retry.attempt >= mostAttempts ? env.now : retry.since + error.stuckAfterSeconds * 1_000;
  const sameEpisode = retry.since < env.now;
  if (sameEpisode && isScheduled(state.agenda, due) && stuckAt > env.now) return;
  schedule(state.agenda, due, Math.max(env.now, stuckAt) + error.settleMs);
}

export const stopWatchingRetries = ({ state }: Step, { id }: Session): void =>
  cancel(state.agenda, { what: "stuck", id });

/** A host that retries and retries: told once an episode, whatever comes of it. */
export function tellStuck(step: Step, session: Session): void {
  if (session.turn.phase !== "running" || placementOf(session) === "child") return;
  const { round } = session.turn;
  const { retry } = round;
  if (retry === undefined || retry.answering === true) return;
  session.turn = { phase: "running", round: { ...round, retry: { ...retry, told: true } } };
  openAlert(step, { kind: "error", attempt: retry.attempt }, session.id, { reason: "stuck" });
}
