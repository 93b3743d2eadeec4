import type { Step } from "./environment.ts";
import type { SessionEvent } from "./event.ts";
import { ensureSession, placeBelow, rootOf } from "./family.ts";
import { nextRound, type RoundEvent } from "./round.ts";
import type { Session } from "./state.ts";
import { leaveSummary } from "./summary.ts";
import { noteCall } from "./tool-calls.ts";
import { withdrawEnds } from "./withdrawal.ts";
import { classify } from "./work.ts";

type ToolEvent = Extract<SessionEvent, { kind: "toolNamed" | "toolInput" | "toolEnded" }>;

/** The session works again: what was told about an end of it is pointless. */
export function worksAgain(step: Step, sessionID: string): void {
  withdrawEnds(step, sessionID, "resumed");
  leaveSummary(step, sessionID);
}

/** Something happened inside a session's round. */
export function progress(step: Step, session: Session, event: RoundEvent): void {
  const { turn } = session;
  if (turn.phase === "resting") return;
  const round = nextRound(turn.round, event);
  session.turn = { ...turn, round };
  if (turn.round.retry?.told === true && round.retry === undefined) worksAgain(step, session.id);
}

export function toolProgress(step: Step, session: Session, event: ToolEvent): void {
  if (session.turn.phase === "resting") return;
  if (event.kind === "toolNamed") progress(step, session, { kind: "answering" });
  session.calls ??= new Map();
  const done = noteCall(session.calls, event);
  if (done === undefined) return;
  progress(step, session, { kind: "toolSucceeded", ...done });
  const root = step.state.sessions.get(rootOf(step.state, session.id));
  if (root !== undefined && root !== session && classify(done.tool, done.input) === "real")
    progress(step, root, { kind: "childWorked" });
}

/** A call of that session started the child. `launched`: it runs on in the background. */
export function linkChild(
  { state, env }: Step,
  parent: Session,
  { childID, launched }: { childID: string; launched: boolean },
): void {
  if (state.deleted.has(childID) || childID === rootOf(state, parent.id)) return; // a tool may name the session it runs for
  const child = ensureSession(state, childID, env.now);
  if (child.parentID === undefined) placeBelow(state, child, parent.id);
  if (!launched || child.turn.phase !== "resting" || child.launched || endedInRound(child, parent)) return;
  child.launched = true;
  child.heardAt = env.now;
}

/** One that fails at once can be over before the call that launched it says so. */
const endedInRound = ({ endedAt }: Session, { turn }: Session): boolean =>
  endedAt !== undefined && turn.phase !== "resting" && endedAt >= turn.round.runsSince;
