import { cancel, schedule } from "./agenda.ts";
import type { Step } from "./environment.ts";
import { ensureSession, placeBelow, rootOf } from "./family.ts";
import type { SessionFacts } from "./input.ts";
import type { Session, State, Waiter } from "./state.ts";

/** An answer of the host may delay an alert by this much and no more, ms. */
export const lookUpMs = 1_000;

const lookUpOf = (sessionID: string): string => `session ${sessionID}`;

/** The family is known up to its root, or the host is asked about the topmost that is known. */
export function lookUpPlace(step: Step, { id }: Session): void {
  const { state, env } = step;
  const topID = rootOf(state, id);
  const lookUp = lookUpOf(topID);
  if (step.ending || state.lookUps.has(lookUp) || state.deleted.has(topID)) return;
  if (ensureSession(state, topID, env.now).parentID !== undefined) return; // a root, or parents in a ring
  state.lookUps.set(lookUp, { what: "session", sessionID: topID, waiting: [] });
  schedule(state.agenda, { what: "look-up", id: lookUp }, env.now + lookUpMs);
  step.effects.push({ do: "look-up", what: "session", lookUp, sessionID: topID });
}

/** True: nothing is being looked up for it or those above. Else it is among those that go on once that has ended. */
export function isPlaced(step: Step, session: Session, waitsFor: Waiter["for"]): boolean {
  lookUpPlace(step, session);
  return !joins(step.state, session, waitsFor);
}

function joins(state: State, { id }: Session, waitsFor: Waiter["for"]): boolean {
  const lookUp = state.lookUps.get(lookUpOf(rootOf(state, id)));
  if (lookUp?.what !== "session") return false;
  if (!lookUp.waiting.some((waiter) => waiter.sessionID === id && waiter.for === waitsFor))
    lookUp.waiting.push({ sessionID: id, for: waitsFor });
  return true;
}

/** Who waited for that answer and may go on now: those whose family is known as far as it can be. */
export function learnPlace(step: Step, lookUp: string, facts: SessionFacts | "missing" | undefined): Waiter[] {
  const { state } = step;
  const asked = state.lookUps.get(lookUp);
  if (asked?.what !== "session") return [];
  state.lookUps.delete(lookUp);
  cancel(state.agenda, { what: "look-up", id: lookUp });
  const session = state.sessions.get(asked.sessionID);
  if (session !== undefined && facts !== undefined && facts !== "missing") adopt(step, session, facts);
  return asked.waiting.filter((waiter) => {
    const waiting = state.sessions.get(waiter.sessionID);
    return waiting !== undefined && !joins(state, waiting, waiter.for);
  });
}

/** What the events told counts more than what the host says when asked. */
function adopt(step: Step, session: Session, { title, parentID, directory }: SessionFacts): void {
  if (session.parentID === undefined) placeBelow(step.state, session, parentID);
  if (title !== undefined) session.title ??= title;
  if (directory !== undefined) session.directory ??= directory;
  lookUpPlace(step, session);
}
