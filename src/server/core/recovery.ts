import { cancel, isScheduled } from "./agenda.ts";
import { alertAbout, drop, isEnd, lineFacts } from "./alert-list.ts";
import type { Step } from "./environment.ts";
import { rootOf } from "./family.ts";
import type { Input } from "./input.ts";
import { record } from "./record.ts";
import { newRound, resting, type Turn } from "./round.ts";
import type { Alert, LineFacts, PendingRequest, Session, State } from "./state.ts";

/** What an input is about, as it was before its step. Cheap: turns and requests are replaced, never changed in place. */
export type Before = {
  serial: number;
  sessions: readonly { id: string; turn: Turn; requests: readonly PendingRequest[] }[];
  line: LineFacts | undefined;
};

export function before(state: State, input: Input, dueID: string | undefined): Before {
  const line = input.kind === "sent" ? state.deliveries.get(input.delivery)?.line : undefined;
  return {
    line,
    serial: state.serial,
    sessions: sessionsOf(state, input, dueID).map((id) => {
      const { turn = resting, requests = [] } = state.sessions.get(id) ?? {};
      return { id, turn, requests };
    }),
  };
}

function sessionsOf(state: State, input: Input, dueID: string | undefined): readonly string[] {
  switch (input.kind) {
    case "host": {
      const { sessionID } = input.event;
      const rootID = rootOf(state, sessionID);
      return rootID === sessionID ? [sessionID] : [sessionID, rootID];
    }
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
  for (const { id, turn, requests } of was.sessions) {
    const session = state.sessions.get(id);
    if (session === undefined) continue;
    lost.push(...lostRequests(state, session, requests));
    lost.push(...lostRounds(step, session, turn, was, input));
  }
  for (const line of lost) failUnlessLined(step, line);
}

const isNew = (id: string, was: Before): boolean => Number(id.slice(id.lastIndexOf("#") + 1)) > was.serial;

function dropIfThere(state: State, alertID: string): void {
  const alert = state.alerts.get(alertID);
  if (alert !== undefined) drop(state, alert);
}

/** Nothing will ever decide about it, or it never left. */
export function isStranded({ agenda, lookUps }: State, { id, stage, deliveryID }: Alert): boolean {
  if (stage === "shown") return deliveryID === undefined;
  if (stage === "suppressed")
    return (["look-ends", "left", "unseen"] as const).every((what) => !isScheduled(agenda, { what, id }));
  return (
    stage === "checking" && ![...lookUps.values()].some((asked) => asked.what === "screen" && asked.alertID === id)
  );
}

function lostRequests(state: State, session: Session, was: readonly PendingRequest[]): LineFacts[] {
  const stranded = isAwaited(state, session, "requests") ? [] : session.requests.filter(isSettling);
  const untold = was.filter(isSettling).filter(({ requestID }) => {
    const now = session.requests.find((open) => open.requestID === requestID);
    return (now === undefined || now.stage === "told") && alertAbout(state, session.id, requestID) === undefined;
  });
  const lost = new Set([...stranded, ...untold].map(({ requestID }) => requestID));
  session.requests = session.requests.map((open) => (lost.has(open.requestID) ? { ...open, stage: "known" } : open));
  return [...lost].map((requestID) => ({ alert: "pause", sessionID: session.id, requestID }));
}

const isSettling = ({ stage }: PendingRequest): boolean => stage === "settling";

/** Something will wake it. An answer that an earlier round waited for wakes only one that waits for it again. */
function isAwaited({ agenda, lookUps }: State, { id, turn }: Session, what: "requests" | "round"): boolean {
  if (isScheduled(agenda, { what, id })) return true;
  const awaits = what === "round" && turn.phase === "settling" ? turn.awaits : "place";
  return [...lookUps.values()].some(
    (asked) =>
      (asked.what === "session" &&
        awaits === "place" &&
        asked.waiting.some((waiter) => waiter.sessionID === id && waiter.for === what)) ||
      (asked.what === "messages" && awaits === "messages" && asked.sessionID === id),
  );
}

/** The rounds of a session that nobody would ever decide, and the session as if the bug had not struck. */
function lostRounds(step: Step, session: Session, was: Turn, before: Before, input: Input): LineFacts[] {
  const { state } = step;
  const line = lineOf(session, session.turn.phase === "resting" ? was : session.turn);
  const { phase } = session.turn;
  const isForgotten = phase === "settling" && !isAwaited(state, session, "round");
  if (isForgotten || (phase !== "resting" && input.kind === "ending")) {
    fail(step, rest(state, session, line)); // another end may have had its line in the same step
    return [];
  }
  const unheard =
    input.kind === "host" && input.event.sessionID === session.id ? input.event.events.slice(step.heard) : [];
  const edges = unheard.flatMap(({ kind }) => (kind === "started" || kind === "ended" ? [kind] : []));
  if (edges.length > 0) {
    for (const unlined of unheardEdges(step, session, edges, line)) fail(step, unlined);
    return [];
  }
  if (phase !== "resting" || was.phase === "resting") return [];
  const isTold = [...state.alerts.values()].some(
    (alert) => alert.sessionID === session.id && isEnd(alert) && isNew(alert.id, before),
  );
  return isTold ? [] : [line];
}

/** The bug struck before these starts and ends of runs were heard, or in the middle of the first. */
function unheardEdges(
  step: Step,
  session: Session,
  edges: readonly ("started" | "ended")[],
  line: LineFacts,
): LineFacts[] {
  const { state, env } = step;
  const { phase } = session.turn;
  if (edges.at(-1) === "ended") {
    if (phase === "running") return [rest(state, session, line)];
    return edges.includes("started") ? [line] : []; // the one before goes on, this one was not heard
  }
  if (phase === "running") return [];
  const lost = phase === "resting" ? [] : [rest(state, session, line)];
  session.turn = { phase: "running", round: newRound(env.now, undefined, false) };
  return lost;
}

const lineOf = ({ id }: Session, turn: Turn): LineFacts => ({
  alert: turn.phase !== "resting" && turn.round.error !== undefined ? "error" : "done",
  sessionID: id,
});

function rest(state: State, session: Session, line: LineFacts): LineFacts {
  for (const what of ["round", "deferred", "stuck"] as const) cancel(state.agenda, { what, id: session.id });
  session.turn = resting;
  return line;
}

/** One that got its line before the bug struck keeps that. */
function failUnlessLined(step: Step, line: LineFacts): void {
  const isEndLine = line.alert !== "pause";
  const hasLine = step.effects.some((effect) => {
    if (effect.do !== "record" || effect.decision.sessionID !== line.sessionID) return false;
    const { alert, requestID, outcome } = effect.decision;
    return isEndLine ? alert !== "pause" && outcome !== "deferred" : alert === "pause" && requestID === line.requestID;
  });
  if (!hasLine) fail(step, line);
}

const fail = (step: Step, line: LineFacts): void =>
  record(step, { at: step.env.now, ...line, outcome: "failed", reason: "internal", channels: [] });
