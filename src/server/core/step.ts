import { cancel, type Due, earliest, schedule, takeDue } from "./agenda.ts";
import { afterScreen, presenceChanged, push, remind, tellAfterAll } from "./alert.ts";
import { drop, lineFacts } from "./alert-list.ts";
import { arrived, wentAway } from "./arrival.ts";
import type { Effect } from "./effect.ts";
import type { Environment, Step } from "./environment.ts";
import { watchPause } from "./follow-ups.ts";
import type { Input } from "./input.ts";
import { heardOfAnswer, interacted } from "./interactions.ts";
import { shapeOf } from "./message-history.ts";
import { learnPlace, lookUpMs } from "./places.ts";
import { recordSilent } from "./record.ts";
import { before, recover } from "./recovery.ts";
import { requestsDue, requestsPlaced, settleRequests } from "./requests.ts";
import { tellStuck } from "./retries.ts";
import { abandonRound, decideRound, deferredDue, messagesFound, roundDue, settleRound } from "./round-lifecycle.ts";
import { hear } from "./session.ts";
import type { State } from "./state.ts";

/**
 * What comes of one input: the state is brought up to date in place, what is to be done is given back. Total: any input
 * in any state. No I/O, no clock but the environment's.
 */
export function step(state: State, input: Input, env: Environment): Effect[] {
  const at: Step = { state, env, effects: [], ending: input.kind === "ending", heard: 0 };
  const due = input.kind === "due" ? takeDue(state.agenda, env.now) : undefined;
  const was = before(state, input, due?.id);
  try {
    if (due !== undefined) isDue(at, due);
    else take(at, input);
  } catch (bug) {
    at.effects.push({ do: "report-bug", bug });
    recover(at, was, input);
  }
  return at.effects;
}

/** When `step` wants to be called again, monotonic ms: the one timer there is. */
export const nextDeadline = (state: State): number | undefined => earliest(state.agenda);

function take(at: Step, input: Input): void {
  switch (input.kind) {
    case "host":
      return hear(at, input.event);
    case "presence":
      return presenceChanged(at);
    case "due":
      return; // nothing is due any more
    case "session-found":
      return sessionFound(at, input.lookUp, input.facts);
    case "messages-found":
      return messagesFound(at, input.lookUp, input.messages === undefined ? undefined : shapeOf(input.messages));
    case "screen-found":
      return screenFound(at, input.lookUp, input.locked);
    case "sent":
      return arrived(at, input.delivery, input.handed, input.hidden);
    case "withdrawn":
      return wentAway(at, input.withdrawal, input.channels);
    case "answered":
      return heardOfAnswer(at, input.answer, input.taken ? "taken" : "refused");
    case "note":
      return interacted(at, input.event);
    case "taken-over":
      return takeOver(at);
    case "ending":
      endSessions(at, input.sessionIDs);
      return input.forGood === true ? giveUpDeliveries(at) : undefined;
  }
}

function isDue(at: Step, due: Due): void {
  const { sessions, alerts } = at.state;
  const session = sessions.get(due.id);
  const alert = alerts.get(due.id);
  switch (due.what) {
    case "requests":
      return session && requestsDue(at, session);
    case "round":
      return session && roundDue(at, session);
    case "deferred":
      return session && deferredDue(at, session);
    case "stuck":
      return session && tellStuck(at, session);
    case "look-ends":
      return alert && watchPause(at, alert);
    case "left":
    case "unseen":
      return alert && tellAfterAll(at, alert, due.what);
    case "remind":
      return alert && remind(at, alert);
    case "push":
      return alert && push(at, alert, due.target, "overdue");
    case "answer":
      return heardOfAnswer(at, due.id, "none");
    case "look-up":
      return unanswered(at, due.id);
  }
}

/** Nobody waits longer for that answer. */
function unanswered(at: Step, lookUp: string): void {
  switch (at.state.lookUps.get(lookUp)?.what) {
    case "session":
      return sessionFound(at, lookUp, undefined);
    case "messages":
      return messagesFound(at, lookUp, undefined);
    case "screen":
      return screenFound(at, lookUp, false);
  }
}

function sessionFound(at: Step, lookUp: string, facts: Parameters<typeof learnPlace>[2]): void {
  for (const waiter of learnPlace(at, lookUp, facts)) {
    const session = at.state.sessions.get(waiter.sessionID);
    if (session === undefined) continue;
    if (waiter.for === "requests") requestsPlaced(at, session);
    else decideRound(at, session);
  }
}

function screenFound(at: Step, lookUp: string, locked: boolean): void {
  const asked = at.state.lookUps.get(lookUp);
  if (asked?.what !== "screen") return;
  at.state.lookUps.delete(lookUp);
  cancel(at.state.agenda, { what: "look-up", id: lookUp });
  afterScreen(at, asked.alertID, asked.then, locked);
}

/** Whoever asked may never bring the answer. */
function takeOver(at: Step): void {
  for (const [lookUp, asked] of at.state.lookUps) {
    schedule(at.state.agenda, { what: "look-up", id: lookUp }, at.env.now + lookUpMs);
    if (asked.what === "screen") at.effects.push({ do: "look-up", what: "screen", lookUp });
    else at.effects.push({ do: "look-up", what: asked.what, lookUp, sessionID: asked.sessionID });
  }
  presenceChanged(at);
}

/** Whether it arrived, nobody will ever hear. */
function giveUpDeliveries(at: Step): void {
  for (const id of [...at.state.deliveries.keys()])
    arrived(at, id, { title: "", message: "", channels: [], failure: "channel-error" }, []);
}

/** What waits is decided at once, with the facts at hand; a run that goes on ends here. */
function endSessions(at: Step, sessionIDs: readonly string[]): void {
  const concerned = new Set(sessionIDs);
  const { alerts, sessions } = at.state;
  for (const alert of [...alerts.values()]) {
    if (alert.stage !== "checking" || !concerned.has(alert.sessionID)) continue;
    drop(at.state, alert);
    recordSilent(at, lineFacts(alert), "shutdown");
  }
  const ending = [...sessions.values()].filter(({ id }) => concerned.has(id));
  for (const session of ending) {
    settleRequests(at, session);
    settleRound(at, session);
  }
  for (const session of ending) abandonRound(at, session);
}
