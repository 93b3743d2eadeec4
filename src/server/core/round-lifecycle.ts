import { cancel, schedule } from "./agenda.ts";
import { openAlert } from "./alert.ts";
import { beginning, type Step } from "./environment.ts";
import { childrenRun, nextLossAt, placementOf, rootOf, waitsForPerson } from "./family.ts";
import type { Shape } from "./message-history.ts";
import { isPlaced, lookUpMs, lookUpPlace } from "./places.ts";
import { worksAgain } from "./progress.ts";
import { deferred, silent } from "./record.ts";
import { closeAll, closeAtEnd } from "./requests.ts";
import { stopWatchingRetries } from "./retries.ts";
import { endedForGood, newRound, nextRound, type Round, resting, workedUntil } from "./round.ts";
import type { Session, State } from "./state.ts";
import { type Verdict, type VerdictRules, verdictFromFacts, verdictFromShape } from "./verdict.ts";
import { withdrawEnds } from "./withdrawal.ts";

/** How long a deferred end waits for a queued prompt to start its run, ms. */
const queuedMs = 30_000;

/** A prompt was accepted that the host did not read yet. */
const hasUnread = ({ unread }: Session): boolean => (unread?.size ?? 0) > 0;

const messagesOf = (sessionID: string): string => `messages ${sessionID}`;

/** Nothing is waited for any more to decide about a session's round. */
function stopWaiting(step: Step, session: Session): void {
  const { state } = step;
  cancel(state.agenda, { what: "round", id: session.id });
  cancel(state.agenda, { what: "deferred", id: session.id });
  stopWatchingRetries(step, session);
  forgetMessages(state, session.id);
}

function forgetMessages(state: State, sessionID: string): void {
  const lookUp = messagesOf(sessionID);
  state.lookUps.delete(lookUp);
  cancel(state.agenda, { what: "look-up", id: lookUp });
}

/** A run begins. */
export function started(step: Step, session: Session, old: boolean): void {
  session.launched = false;
  if (session.turn.phase === "running") {
    session.turn = { phase: "running", round: nextRound(session.turn.round, { kind: "busyAgain" }) };
    return;
  }
  const round = continued(step, session) ?? newRound(step.env.now, session.nextTrigger, old);
  session.nextTrigger = undefined;
  stopWaiting(step, session);
  session.turn = { phase: "running", round };
  session.toldCalls = undefined;
  closeAll(step, session, "resumed"); // a session that runs again cannot wait on a request of its earlier run
  lookUpPlace(step, session);
  worksAgain(step, session.id);
}

/** The round that goes on: woken by a result or by what was queued, or a person joins one whose end is put off. */
function continued(step: Step, session: Session): Round | undefined {
  const { turn, nextTrigger } = session;
  if (turn.phase !== "settling" && turn.phase !== "deferred") return undefined;
  const { round } = turn;
  if (endedForGood(round) || (nextTrigger === "typed" && !isPutOff(step, session, round))) {
    overtaken(step, session);
    return undefined;
  }
  if (!round.told) deferred(step, session.id, "more-queued");
  const { error: _, ...rest } = round;
  return { ...rest, runsSince: step.env.now, seen: false, told: false };
}

const isPutOff = (step: Step, session: Session, round: Round): boolean =>
  round.told || round.leftUnread || "deferred" in verdictNow(step, session, round);

/** A newer run took its place, or its session is gone: nobody needs an alert about this end any more. */
function overtaken(step: Step, session: Session): void {
  if (session.turn.phase !== "settling") return; // one that is deferred has its line
  const { round } = session.turn;
  const known = verdictFromFacts(round, placementOf(session));
  if (known !== undefined && "silent" in known) conclude(step, session, round, known);
  else if (!round.told) conclude(step, session, round, { silent: "superseded" });
}

/** A run ended. */
export function ended(step: Step, session: Session, old: boolean, legacy: boolean): void {
  // Beside real ends it is a twin, and can come so late that the next round has begun.
  if (legacy && session.endedAt !== undefined) return;
  if (!legacy) session.endedAt = step.env.now;
  session.launched = false;
  const askWaits = closeAtEnd(step, session);
  if (session.turn.phase === "running") settleOrRest(step, session, { ...session.turn.round, askWaits }, old);
  memberChanged(step, session);
}

function settleOrRest(step: Step, session: Session, running: Round, old: boolean): void {
  session.calls = undefined;
  stopWatchingRetries(step, session);
  const leftUnread = hasUnread(session);
  const round: Round = { ...running, workedMs: workedUntil(running, step.env.now), leftUnread };
  session.turn = resting;
  if (placementOf(session) === "child") conclude(step, session, round, { silent: "child" });
  else if (!old) settle(step, session, round);
}

function settle({ state, env }: Step, session: Session, round: Round): void {
  forgetMessages(state, session.id);
  session.turn = { phase: "settling", round, awaits: "window" };
  const { done, error } = env.config.alerts;
  const windowMs = round.error === undefined ? done.settleMs : error.settleMs;
  schedule(state.agenda, { what: "round", id: session.id }, env.now + windowMs);
}

export function failed(session: Session, name: string): void {
  const { turn } = session;
  if (turn.phase !== "running" && turn.phase !== "settling") return;
  session.turn = { ...turn, round: nextRound(turn.round, { kind: "failed", name }) };
}

/** Its window is over: it is decided as soon as its family is known. */
export function roundDue(step: Step, session: Session): void {
  const { turn } = session;
  if (turn.phase !== "settling") return;
  session.turn = { ...turn, awaits: "place" };
  if (isPlaced(step, session, "round")) decideRound(step, session);
}

/** Its place is known now, or cannot be: where the facts do not tell, the message list is asked for. */
export function decideRound(step: Step, session: Session): void {
  const { turn } = session;
  if (turn.phase !== "settling" || turn.awaits !== "place") return;
  if (verdictFromFacts(turn.round, placementOf(session)) !== undefined) return decideWith(step, session, undefined);
  const { state, env, effects } = step;
  const lookUp = messagesOf(session.id);
  session.turn = { ...turn, awaits: "messages" };
  state.lookUps.set(lookUp, { what: "messages", sessionID: session.id });
  schedule(state.agenda, { what: "look-up", id: lookUp }, env.now + lookUpMs);
  effects.push({ do: "look-up", what: "messages", lookUp, sessionID: session.id });
}

/** What the message list says about the round that ended; undefined: it cannot be had. */
export function messagesFound(step: Step, lookUp: string, shape: Shape | undefined): void {
  const asked = step.state.lookUps.get(lookUp);
  if (asked?.what !== "messages") return;
  forgetMessages(step.state, asked.sessionID);
  const session = step.state.sessions.get(asked.sessionID);
  if (session !== undefined) decideWith(step, session, shape);
}

function decideWith(step: Step, session: Session, shape: Shape | undefined): void {
  if (session.turn.phase !== "settling") return;
  const { round } = session.turn;
  const verdict = verdictNow(step, session, round, shape);
  const trigger = round.trigger ?? shape?.trigger; // a round that goes on has a longer list, and another answer in it
  session.turn = resting; // what happens from here on is another round's
  conclude(step, session, trigger === undefined ? round : { ...round, trigger }, verdict);
}

/** What an end deserves, as things stand around it now. */
function verdictNow(step: Step, session: Session, round: Round, shape?: Shape): Verdict {
  const { state, env } = step;
  const placement = placementOf(session);
  const around = {
    shape,
    placement,
    childrenRun: childrenRun(state, session.id, env.now),
    moreQueued: round.leftUnread && hasUnread(session),
    askWaits: waitsForPerson(session),
    pluginStarted: beginning(step),
  };
  const rules: VerdictRules = env.config.alerts.done;
  return verdictFromFacts(round, placement) ?? verdictFromShape(round, around, rules);
}

function conclude(step: Step, session: Session, round: Round, verdict: Verdict): void {
  const { seen: seenByHost, error, retry } = round;
  if ("deferred" in verdict) return defer(step, session, round, verdict.deferred);
  if ("silent" in verdict) {
    const aboutError = error !== undefined && verdict.silent !== "child" && verdict.silent !== "dismissed";
    silent(step, aboutError ? "error" : "done", session.id, verdict.silent);
    if (verdict.silent === "aborted" && retry?.told === true) sessionSeen(step, session.id); // "still retrying" was read
    return;
  }
  const { alert } = verdict;
  const content = alert === "done" ? { kind: alert, workedMs: verdict.workedMs } : { kind: alert, name: verdict.name };
  openAlert(step, content, session.id, { reason: "unattended", seenByHost });
}

/** Somebody saw the session as it is: nothing told about an end of it is news any more. */
export function sessionSeen(step: Step, sessionID: string): void {
  withdrawEnds(step, sessionID, "seen");
}

/** Put off: the session's subagents still run, or it will run again by itself. */
function defer(step: Step, session: Session, round: Round, why: "children-running" | "more-queued"): void {
  if (!round.told) deferred(step, session.id, why);
  session.turn = { phase: "deferred", round: { ...round, told: true }, why };
  watchDeferred(step, session, why);
}

function watchDeferred({ state, env }: Step, { id }: Session, why: "children-running" | "more-queued"): void {
  const at = why === "more-queued" ? env.now + queuedMs : nextLossAt(state, id, env.now);
  if (at === undefined)
    cancel(state.agenda, { what: "deferred", id }); // only for the person; their answer is heard of
  else schedule(state.agenda, { what: "deferred", id }, at);
}

/** Nothing was heard for long enough: a queued prompt that never ran is given up. */
export function deferredDue(step: Step, session: Session): void {
  if (session.turn.phase === "deferred" && session.turn.why === "more-queued") session.unread?.clear();
  recheck(step, session);
}

function recheck(step: Step, session: Session): void {
  const { turn } = session;
  if (turn.phase !== "deferred") return;
  const waits = turn.why === "more-queued" ? hasUnread(session) : childrenRun(step.state, session.id, step.env.now);
  if (waits) return watchDeferred(step, session, turn.why);
  cancel(step.state.agenda, { what: "deferred", id: session.id });
  settle(step, session, turn.round);
}

/** Something of a session changed that its root may wait for. */
export function memberChanged(step: Step, session: Session): void {
  const rootID = rootOf(step.state, session.id);
  if (rootID !== session.id) familyChanged(step, rootID);
}

/** Somebody below ended, is gone, or waits for the person no more, or a queued prompt is gone: it may be free to end. */
export function familyChanged(step: Step, rootID: string): void {
  const root = step.state.sessions.get(rootID);
  if (root === undefined) return;
  const { turn } = root;
  if (turn.phase === "deferred") return recheck(step, root);
  if (turn.phase !== "settling" || verdictFromFacts(turn.round, placementOf(root)) !== undefined) return;
  if (!childrenRun(step.state, rootID, step.env.now)) settle(step, root, turn.round); // the last one's result may wake it yet
}

/** The session is gone. */
export function forgetRound(step: Step, session: Session): void {
  overtaken(step, session);
  stopWaiting(step, session);
  session.turn = resting;
  session.launched = false;
}

/** The process ends: no look-up, no further wait for subagents or a next run. */
export function settleRound(step: Step, session: Session): void {
  const { turn } = session;
  if (turn.phase !== "settling" && turn.phase !== "deferred") return;
  stopWaiting(step, session);
  session.turn = resting;
  const verdict = verdictNow(step, session, turn.round);
  conclude(step, session, turn.round, "deferred" in verdict ? { silent: "shutdown" } : verdict);
}

/** A run that ends with its host, which tells nobody (1.18 disposes of its plugins first). */
export function abandonRound(step: Step, session: Session): void {
  session.launched = false;
  if (session.turn.phase !== "running") return;
  const { round } = session.turn;
  session.calls = undefined;
  stopWatchingRetries(step, session);
  session.turn = resting;
  conclude(step, session, round, { silent: placementOf(session) === "child" ? "child" : "shutdown" });
}
