import { cancel, isScheduled, schedule } from "./agenda.ts";
import { openAlert } from "./alert.ts";
import type { WithdrawnReason } from "./decision.ts";
import type { Step } from "./environment.ts";
import type { Ask, Refusal } from "./event.ts";
import { familyWaits, rootOf } from "./family.ts";
import { isPlaced, lookUpPlace } from "./places.ts";
import { silent } from "./record.ts";
import { nextRound } from "./round.ts";
import type { PendingRequest, Session } from "./state.ts";
import { closeRequest } from "./withdrawal.ts";

/** How a request that was told came to its end. */
export type RequestEnd = Extract<WithdrawnReason, "answered" | "resumed" | "ended" | "shutdown">;

/** The window opens with the first request and is not extended: those inside it are told together. */
const windowOpen = ({ requests }: Session): boolean => requests.some(({ stage }) => stage === "settling");

/** `old`: from before the plugin's start. The same request again changes nothing until its reply has come. */
export function asked(step: Step, session: Session, ask: Ask, old: boolean): void {
  if (session.requests.some(({ requestID }) => requestID === ask.requestID)) return;
  if (old) return add(session, ask, "known");
  if (isTold(session, ask)) {
    add(session, ask, "told");
    return silent(step, "pause", session.id, "duplicate", ask.requestID);
  }
  const opens = !windowOpen(session);
  add(session, ask, "settling");
  markWaiting(step, session);
  lookUpPlace(step, session);
  const { now, config } = step.env;
  if (opens) schedule(step.state.agenda, { what: "requests", id: session.id }, now + config.alerts.pause.settleMs);
}

function add(session: Session, ask: Ask, stage: PendingRequest["stage"]): void {
  session.requests = [...session.requests, { ...ask, stage }];
}

/** A permission and the form after it are one alert; two permissions of a call are two. */
const isTold = ({ toldCalls }: Session, { about, callID }: Ask): boolean =>
  about === "question" && callID !== undefined && toldCalls?.has(callID) === true;

/** The window is over. A title on its way is worth a moment; never longer than the look-up's own limit. */
export function requestsDue(step: Step, session: Session): void {
  if (isPlaced(step, session, "requests")) tellRequests(step, session);
}

/** Its place is known now, or cannot be. What came after those that waited for it still has a window of its own. */
export function requestsPlaced(step: Step, session: Session): void {
  if (!isScheduled(step.state.agenda, { what: "requests", id: session.id })) tellRequests(step, session);
}

function tellRequests(step: Step, session: Session): void {
  const due = session.requests.filter(({ stage }) => stage === "settling");
  const [oldest, ...others] = due;
  if (oldest === undefined) return;
  session.requests = session.requests.map((request) =>
    request.stage === "settling" ? { ...request, stage: "told" } : request,
  );
  for (const { about, callID } of due)
    if (about === "permission" && callID !== undefined) session.toldCalls = new Set(session.toldCalls).add(callID);
  const requests = due.map(({ stage: _, ...ask }) => ask);
  for (const { requestID } of others) silent(step, "pause", session.id, "batched", requestID);
  openAlert(step, { kind: "pause", requests }, session.id, { reason: "unattended", requestID: oldest.requestID });
}

/** Without a request id every open one of the session is closed. */
export function answered(step: Step, session: Session, { requestID, how }: { requestID?: string; how: Refusal }): void {
  const closing = session.requests.filter((open) => requestID === undefined || open.requestID === requestID);
  for (const open of closing) close(step, session, open, "answered");
  if (how !== "refused" || closing.length === 0 || session.turn.phase === "resting") return;
  session.turn = { ...session.turn, round: nextRound(session.turn.round, { kind: "refused" }) };
}

function close(step: Step, session: Session, { requestID, stage }: PendingRequest, why: RequestEnd): void {
  session.requests = session.requests.filter((open) => open.requestID !== requestID);
  markWaiting(step, session);
  if (stage === "settling") silent(step, "pause", session.id, "auto-answered", requestID);
  if (stage === "told") closeRequest(step, session.id, requestID, why);
  if (!windowOpen(session)) cancel(step.state.agenda, { what: "requests", id: session.id });
}

/** A new run or the end of one: nobody can answer these any more. */
export function closeAll(step: Step, session: Session, why: RequestEnd): void {
  for (const open of session.requests) close(step, session, open, why);
}

/** The session stopped. True: it did so with a request open; one still inside its window needed nobody. */
export function closeAtEnd(step: Step, session: Session): boolean {
  const open = session.requests.some(({ stage }) => stage !== "settling");
  closeAll(step, session, "ended");
  return open;
}

/** The process ends: a request nobody was told of yet cannot be answered either. */
export function settleRequests(step: Step, session: Session): void {
  const { requests } = session;
  session.requests = [];
  cancel(step.state.agenda, { what: "requests", id: session.id });
  for (const { requestID, stage } of requests)
    if (stage === "settling") silent(step, "pause", session.id, "shutdown", requestID);
  for (const { requestID, stage } of requests)
    if (stage === "told") closeRequest(step, session.id, requestID, "shutdown");
  markWaiting(step, session);
}

/** The root's round does not count the time the person lets it wait. */
function markWaiting({ state, env }: Step, session: Session): void {
  const root = state.sessions.get(rootOf(state, session.id));
  if (root === undefined || root.turn.phase === "resting") return;
  const event = { kind: familyWaits(state, root.id) ? "waits" : "waitsNoMore", at: env.now } as const;
  root.turn = { ...root.turn, round: nextRound(root.turn.round, event) };
}
