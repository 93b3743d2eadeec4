import { cancel, isScheduled } from "./agenda.ts";
import { alertAbout, drop, isEnd, lineFacts } from "./alert-list.ts";
import type { Step } from "./environment.ts";
import { rootOf } from "./family.ts";
import type { Input } from "./input.ts";
import { record } from "./record.ts";
import { resting, type Turn } from "./round.ts";
import type { Alert, LineFacts, PendingRequest, Session, State } from "./state.ts";

/** What an input is about, as it was before its step. Cheap: turns and requests are replaced, never changed in place. */
export type Before = {
  serial: number;
  sessions: readonly { session: Session; turn: Turn; requests: readonly PendingRequest[] }[];
  line?: LineFacts;
};

export function before(state: State, input: Input, dueID: string | undefined): Before {
  const line = input.kind === "sent" ? state.deliveries.get(input.delivery)?.line : undefined;
  return {
    serial: state.serial,
    sessions: sessionsOf(state, input, dueID).flatMap((id) => {
      const session = state.sessions.get(id);
      return session === undefined ? [] : [{ session, turn: session.turn, requests: session.requests }];
    }),
    ...(line === undefined ? {} : { line }),
  };
}

function sessionsOf(state: State, input: Input, dueID: string | undefined): readonly string[] {
  switch (input.kind) {
    case "host":
      return [...new Set([input.event.sessionID, rootOf(state, input.event.sessionID)])];
    case "due":
      return dueID === undefined ? [] : askedFor(state, dueID);
    case "session-found":
    case "messages-found":
      return askedFor(state, input.lookUp);
    case "ending":
      return input.sessionIDs;
    default:
      return [];
  }
}

/** The session itself, or those that wait for that answer. */
function askedFor(state: State, id: string): string[] {
  const lookUp = state.lookUps.get(id);
  if (lookUp === undefined || lookUp.what === "screen") return [id];
  return [lookUp.sessionID, ...(lookUp.what === "session" ? lookUp.waiting.map(({ sessionID }) => sessionID) : [])];
}

/**
 * A bug of ours struck in the middle of a step. What was being decided gets its line, `failed` / `internal`, and is
 * dropped: nothing is silent, nothing waits for what never comes. What has its line keeps it.
 */
export function recover(step: Step, was: Before, input: Input): void {
  const { state } = step;
  const lost: LineFacts[] = was.line === undefined ? [] : [was.line];
  for (const [id, delivery] of state.deliveries) {
    if (!isNew(id, was) || step.effects.some((effect) => "delivery" in effect && effect.delivery === id)) continue;
    state.deliveries.delete(id);
    lost.push(delivery.line);
    dropIfThere(state, delivery.alertID);
  }
  for (const alert of state.alerts.values()) {
    if (!isStranded(state, alert)) continue;
    drop(state, alert);
    lost.push(lineFacts(alert));
  }
  for (const { session, turn, requests } of was.sessions) {
    lost.push(...lostRequests(state, session, requests));
    if (isRoundLost(step, session, turn, was, input)) lost.push(giveUpRound(state, session, turn));
  }
  for (const line of lost) failUnlessLined(step, line);
}

const isNew = (id: string, was: Before): boolean => Number(id.slice(id.lastIndexOf("#") + 1)) > was.serial;

function dropIfThere(state: State, alertID: string): void {
  const alert = state.alerts.get(alertID);
  if (alert !== undefined) drop(state, alert);
}

/** Nothing will ever decide about it, or it never left. */
function isStranded({ lookUps }: State, { id, stage, deliveryID }: Alert): boolean {
  if (stage === "shown") return deliveryID === undefined;
  return (
    stage === "checking" && ![...lookUps.values()].some((asked) => asked.what === "screen" && asked.alertID === id)
  );
}

function lostRequests(state: State, session: Session, requests: readonly PendingRequest[]): LineFacts[] {
  const isLost = ({ requestID, stage }: PendingRequest): boolean => {
    if (stage !== "settling") return false;
    const now = session.requests.find((open) => open.requestID === requestID);
    if (now?.stage === "settling") return !isAwaited(state, session, "requests");
    return now?.stage !== "known" && alertAbout(state, session.id, requestID) === undefined;
  };
  const lost = new Set(requests.filter(isLost).map(({ requestID }) => requestID));
  session.requests = session.requests.map((open) => (lost.has(open.requestID) ? { ...open, stage: "known" } : open));
  return [...lost].map((requestID) => ({ alert: "pause", sessionID: session.id, requestID }));
}

function isAwaited({ agenda, lookUps }: State, { id }: Session, what: "requests" | "round"): boolean {
  if (isScheduled(agenda, { what, id })) return true;
  return [...lookUps.values()].some(
    (asked) =>
      (asked.what === "session" && asked.waiting.some((waiter) => waiter.sessionID === id && waiter.for === what)) ||
      (asked.what === "messages" && what === "round" && asked.sessionID === id),
  );
}

function isRoundLost({ state }: Step, session: Session, turn: Turn, was: Before, input: Input): boolean {
  const { phase } = session.turn;
  if (turn.phase === "resting") return false;
  if (phase === "settling") return !isAwaited(state, session, "round");
  if (phase === "running")
    return input.kind === "host" && input.event.events.some(({ kind }) => kind === "ended") && turn.phase === "running";
  if (phase === "deferred") return false;
  return ![...state.alerts.values()].some(
    (alert) => alert.sessionID === session.id && isEnd(alert) && isNew(alert.id, was),
  );
}

function giveUpRound(state: State, session: Session, turn: Turn): LineFacts {
  cancel(state.agenda, { what: "round", id: session.id });
  cancel(state.agenda, { what: "stuck", id: session.id });
  session.turn = resting;
  const isError = turn.phase !== "resting" && turn.round.error !== undefined;
  return { alert: isError ? "error" : "done", sessionID: session.id };
}

/** One that got its line before the bug struck keeps that. */
function failUnlessLined(step: Step, line: LineFacts): void {
  const isEndLine = line.alert !== "pause";
  const hasLine = step.effects.some((effect) => {
    if (effect.do !== "record" || effect.decision.sessionID !== line.sessionID) return false;
    const { alert, requestID } = effect.decision;
    return isEndLine ? alert !== "pause" : alert === "pause" && requestID === line.requestID;
  });
  if (!hasLine) record(step, { at: step.env.now, ...line, outcome: "failed", reason: "internal", channels: [] });
}
