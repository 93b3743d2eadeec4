import { schedule } from "./agenda.ts";
import { alertAbout, alertsOf, drop, endsOf, lineFacts, newestShown, openRequests } from "./alert-list.ts";
import type { WithdrawnReason } from "./decision.ts";
import type { Step } from "./environment.ts";
import { bannerKey, notification, withActions } from "./notification.ts";
import { record, recordOvertaken } from "./record.ts";
import { type Alert, type Answer, nextID, type Withdrawing } from "./state.ts";
import { subjectOf } from "./subject.ts";

/** An alert that has become pointless goes, at once and wholly. */
function withdraw(step: Step, alert: Alert, reason: WithdrawnReason): void {
  const wasKnown = alert.known === true;
  drop(step.state, alert);
  if (alert.stage === "checking") recordOvertaken(step, lineFacts(alert));
  takeFromScreen(step, alert, reason, wasKnown);
}

/** Its line follows the one of its delivery, and only where something really went. `wasKnown`: it was on no banner any more. */
export function takeFromScreen(step: Step, alert: Alert, reason: WithdrawnReason, wasKnown: boolean): void {
  if (alert.deliveryID === undefined) return;
  const { state, env } = step;
  const withdrawal: Withdrawing = { line: lineFacts(alert), at: env.now, reason };
  if (alert.handed === undefined) withdrawal.deliveryID = alert.deliveryID;
  else withdrawal.handed = alert.handed;
  if (reason === "answered" && alert.answer !== undefined) withdrawal.answer = awaited(step, alert.answer);
  const id = nextID(state, "withdrawal");
  state.withdrawals.set(id, withdrawal);
  if (takeAway(step, alert, wasKnown, id)) return;
  withdrawal.channels = [];
  finishWithdrawal(step, id);
}

/** How long a line waits for the host's word on an answer, ms. */
export const wordMs = 5_000;

/** The line waits for the host's word, for a while. */
function awaited({ state }: Step, answer: Answer): Answer {
  if (answer.word === "awaited") schedule(state.agenda, { what: "answer", id: answer.id }, answer.givenAt + wordMs);
  return { ...answer };
}

/** One session has one banner: it goes with the last alert it tells of. A newer one may have taken its place. */
function takeAway(step: Step, { sessionID, content }: Alert, wasKnown: boolean, withdrawal: string): boolean {
  if (newestShown(step.state, sessionID) === undefined) {
    step.effects.push({ do: "withdraw", key: bannerKey(sessionID), withdrawal });
    return true;
  }
  return content.kind === "pause" && !wasKnown && showRest(step, sessionID, withdrawal);
}

/** The banner names what is still open. */
function showRest(step: Step, sessionID: string, withdrawal?: string): boolean {
  if (newestShown(step.state, sessionID)?.content.kind !== "pause") return false;
  const content = { kind: "pause" as const, requests: openRequests(step.state, sessionID) };
  const note = withActions(step, notification({ content, subject: subjectOf(step, sessionID) }, step.env));
  step.effects.push({ do: "update", note, ...(withdrawal === undefined ? {} : { withdrawal }) });
  return true;
}

/** Writes the line once everything is known: what was delivered, what went, and whose answer it was. */
export function finishWithdrawal(step: Step, id: string): void {
  const { state } = step;
  const withdrawal = state.withdrawals.get(id);
  if (withdrawal?.handed === undefined || withdrawal.channels === undefined) return;
  const { line, at, reason, channels, handed, answer } = withdrawal;
  if (answer?.word === "awaited") return;
  state.withdrawals.delete(id);
  const by = answer?.word === "taken" ? answer.by : undefined;
  if (channels.length === 0 && by === undefined) return; // from its own banner it was answered, gone or not
  const { title, message } = handed;
  const answered = by === undefined ? {} : { by };
  record(step, { at, ...line, outcome: "withdrawn", reason, channels, title, message, ...answered });
}

export function withdrawEnds(step: Step, sessionID: string, reason: WithdrawnReason): void {
  for (const alert of endsOf(step.state, sessionID)) withdraw(step, alert, reason);
}

/** One request of a told pause is open no more. */
export function closeRequest(step: Step, sessionID: string, requestID: string, reason: WithdrawnReason): void {
  step.effects.push({ do: "close-push", sessionID, requestID });
  const alert = alertAbout(step.state, sessionID, requestID);
  if (alert?.content.kind !== "pause") return;
  const requests = alert.content.requests.filter((open) => open.requestID !== requestID);
  const [oldest] = requests;
  if (oldest === undefined) return withdraw(step, alert, reason);
  // It goes by another one's name from here on; its own line it gets now.
  if (alert.stage === "checking" && alert.requestID === requestID) recordOvertaken(step, lineFacts(alert));
  alert.content = { kind: "pause", requests };
  if (alert.stage !== "shown") alert.requestID = oldest.requestID; // a line that is still to come names the oldest one open
  showRest(step, sessionID);
}

/** The session is gone: its banners stay until the person closes them, nothing more follows. */
export function forgetAlerts(step: Step, sessionID: string): void {
  for (const alert of alertsOf(step.state, sessionID)) {
    drop(step.state, alert);
    if (alert.stage === "checking") recordOvertaken(step, lineFacts(alert));
  }
}
