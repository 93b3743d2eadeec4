import { cancel } from "./agenda.ts";
import type { OpenRequest } from "./alert-words.ts";
import type { Alert, LineFacts, State } from "./state.ts";

/** Ends that may still be taken back. A banner older than that many lies in a list somewhere. */
const mostRemembered = 500;
/** As many targets as the schema allows. */
const mostTargets = 20;

export const alertsOf = (state: State, sessionID: string): Alert[] =>
  [...state.alerts.values()].filter((alert) => alert.sessionID === sessionID);

export const isEnd = ({ content }: Alert): boolean => content.kind !== "pause";

export const endsOf = (state: State, sessionID: string): Alert[] => alertsOf(state, sessionID).filter(isEnd);

/** What somebody saw is on no banner any more, whatever may still follow. */
const isUp = ({ stage, known }: Alert): boolean => stage === "shown" && known !== true;

/** The newest one a session's banner tells of. */
export const newestShown = (state: State, sessionID: string): Alert | undefined =>
  alertsOf(state, sessionID).findLast(isUp);

/** The pause that tells of a request. */
export const alertAbout = (state: State, sessionID: string, requestID: string): Alert | undefined =>
  alertsOf(state, sessionID).find(
    ({ content }) => content.kind === "pause" && content.requests.some((open) => open.requestID === requestID),
  );

/** The requests a session's banners name. */
export const openRequests = (state: State, sessionID: string): OpenRequest[] =>
  alertsOf(state, sessionID)
    .filter(isUp)
    .flatMap(({ content }) => (content.kind === "pause" ? content.requests : []));

/** Sessions whose `done` banner is up, oldest first. */
export const finishedSessions = (state: State): string[] =>
  [...state.alerts.values()].flatMap(({ content, sessionID, handed, gone }) =>
    content.kind === "done" && gone !== true && handed?.channels.includes("banner") === true ? [sessionID] : [],
  );

/** The oldest end, once there are too many to remember. */
export function surplus(state: State): Alert | undefined {
  if (state.alerts.size <= mostRemembered) return undefined;
  for (const alert of state.alerts.values()) if (alert.stage === "shown" && isEnd(alert)) return alert;
  return undefined;
}

/** Forgets an alert and everything that was still to come of it. */
export function drop(state: State, { id, answer }: Alert): void {
  state.alerts.delete(id);
  if (answer !== undefined) cancel(state.agenda, { what: "answer", id: answer.id });
  stopWatching(state, id);
  stopFollowing(state, id);
}

/** It is not waited any more for the person to leave, or to stir. */
export function stopWatching({ agenda }: State, id: string): void {
  for (const what of ["look-ends", "left", "unseen"] as const) cancel(agenda, { what, id });
}

/** No reminder and no message follows. */
export function stopFollowing({ agenda }: State, id: string): void {
  cancel(agenda, { what: "remind", id });
  for (let target = 0; target < mostTargets; target += 1) cancel(agenda, { what: "push", id, target });
}

export const lineFacts = ({ content, sessionID, requestID }: Alert): LineFacts => ({
  alert: content.kind,
  sessionID,
  ...(requestID === undefined ? {} : { requestID }),
});
