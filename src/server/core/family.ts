import { newSession, type Session, type State } from "./state.ts";

/** A child nobody has heard of for this long counts as ended. */
const lostChildMs = 30 * 60_000;

/** unknown: the host has not said yet, or does not know the session. */
export type Placement = "root" | "child" | "unknown";

export function placementOf({ parentID }: Session): Placement {
  if (typeof parentID === "string") return "child";
  return parentID === null ? "root" : "unknown";
}

export function ensureSession(state: State, id: string, heardAt: number): Session {
  const known = state.sessions.get(id);
  if (known !== undefined) return known;
  const session = newSession(id, heardAt);
  state.sessions.set(id, session);
  return session;
}

export function removeSession(state: State, session: Session): void {
  state.sessions.delete(session.id);
  leaveParent(state, session);
}

/** Puts a session where it belongs. null: it is a root. */
export function placeBelow(state: State, session: Session, parentID: string | null): void {
  leaveParent(state, session);
  session.parentID = parentID;
  if (parentID === null) return;
  const siblings = state.children.get(parentID) ?? new Set();
  siblings.add(session.id);
  state.children.set(parentID, siblings);
}

function leaveParent(state: State, { id, parentID }: Session): void {
  if (typeof parentID !== "string") return;
  const siblings = state.children.get(parentID);
  siblings?.delete(id);
  if (siblings?.size === 0) state.children.delete(parentID);
}

/** The topmost known session above; the session itself when it is a root or not placed. */
export function rootOf(state: State, id: string): string {
  if (typeof state.sessions.get(id)?.parentID !== "string") return id;
  const passed = new Set<string>();
  let at = id;
  for (;;) {
    passed.add(at);
    const parentID = state.sessions.get(at)?.parentID;
    if (typeof parentID !== "string" || passed.has(parentID)) return at;
    at = parentID;
  }
}

/** Every known session below, without the session itself. Costs the size of one family at most. */
export function* below(state: State, id: string): Generator<Session> {
  const waiting = [...(state.children.get(id) ?? [])];
  const passed = new Set([id]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (passed.has(next)) continue;
    passed.add(next);
    waiting.push(...(state.children.get(next) ?? []));
    const session = state.sessions.get(next);
    if (session !== undefined) yield session;
  }
}

/** Something of it waits for the person. */
export const waitsForPerson = ({ requests }: Session): boolean => requests.length > 0;

/** Does the session itself or one below it wait for the person? */
export function familyWaits(state: State, id: string): boolean {
  const own = state.sessions.get(id);
  if (own !== undefined && waitsForPerson(own)) return true;
  for (const session of below(state, id)) if (waitsForPerson(session)) return true;
  return false;
}

const lostAt = (child: Session): number => child.heardAt + lostChildMs;

const runs = (child: Session, now: number): boolean =>
  (child.turn.phase === "running" || child.launched) && lostAt(child) > now;

/** Does one below still run? One that waits for the person does, however long it takes them. */
export function childrenRun(state: State, id: string, now: number): boolean {
  for (const child of below(state, id)) if (waitsForPerson(child) || runs(child, now)) return true;
  return false;
}

/** When one of them will count as ended if nothing more is heard, monotonic ms; undefined: none ever will. */
export function nextLossAt(state: State, id: string, now: number): number | undefined {
  let least: number | undefined;
  for (const child of below(state, id))
    if (!waitsForPerson(child) && runs(child, now)) least = Math.min(least ?? lostAt(child), lostAt(child));
  return least;
}
