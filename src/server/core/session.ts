import type { Step } from "./environment.ts";
import { beginning } from "./environment.ts";
import type { HostEvent, SessionEvent, Trigger } from "./event.ts";
import { ensureSession, placeBelow, removeSession, rootOf, waitsForPerson } from "./family.ts";
import { linkChild, progress, toolProgress } from "./progress.ts";
import { answered, asked, closeAll } from "./requests.ts";
import { retrying } from "./retries.ts";
import { ended, failed, familyChanged, forgetRound, memberChanged, sessionSeen, started } from "./round-lifecycle.ts";
import { addNewest, type Session } from "./state.ts";
import { leaveSummary } from "./summary.ts";
import { forgetAlerts } from "./withdrawal.ts";

/** Event ids remembered, so that an event heard through several plugin instances counts once. */
const rememberedEvents = 2_048;
const rememberedDeletions = 256;

/** What a host told of one session. */
export function hear(step: Step, { sessionID, id, created, events }: HostEvent): void {
  const { state, env } = step;
  if (id !== undefined && state.heard.has(id)) return;
  if (id !== undefined) addNewest(state.heard, id, rememberedEvents);
  if (state.deleted.has(sessionID)) return;
  const old = created !== undefined && created < beginning(step);
  const session = ensureSession(state, sessionID, env.now);
  session.heardAt = env.now;
  const waited = waitsForPerson(session);
  for (const event of events) {
    apply(step, session, event, old);
    step.heard += 1;
  }
  if (waitsForPerson(session) !== waited) memberChanged(step, session);
}

function apply(step: Step, session: Session, event: SessionEvent, old: boolean): void {
  switch (event.kind) {
    case "described":
      return describe(step, session, event);
    case "deleted":
      return forget(step, session);
    case "userMessage":
      session.userMessageID = event.messageID;
      return;
    case "userText":
      if (event.messageID === session.userMessageID) return prompted(step, session, event.trigger, event.messageID);
      return progress(step, session, { kind: "answering" }); // the model's own text
    case "prompted":
      if (event.queued === true && event.promptID !== undefined)
        session.unread = new Set(session.unread).add(event.promptID);
      return prompted(step, session, event.trigger, event.promptID);
    case "promptRead":
      session.unread?.delete(event.promptID);
      if (session.turn.phase === "deferred") familyChanged(step, session.id); // taken back: no run comes of it
      return;
    case "started":
      return started(step, session, old);
    case "ended":
      return ended(step, session, old, event.legacy === true);
    case "retrying":
      return retrying(step, session, event.attempt, old);
    case "failed":
      return failed(session, event.name);
    case "stepStarted":
    case "stepEnded":
    case "answering":
      return progress(step, session, event);
    case "toolNamed":
    case "toolInput":
    case "toolEnded":
      return toolProgress(step, session, event);
    case "childLinked":
      return linkChild(step, session, event);
    case "asked":
      return asked(step, session, event.ask, old);
    case "answered":
      return answered(step, session, event);
    case "viewed":
      return viewed(step, session);
  }
}

function describe(
  { state }: Step,
  session: Session,
  { title, parentID, directory }: Extract<SessionEvent, { kind: "described" }>,
): void {
  if (title !== undefined) session.title = title;
  if (directory !== undefined) session.directory = directory;
  if (parentID !== undefined && session.parentID !== parentID) placeBelow(state, session, parentID);
}

function prompted(step: Step, session: Session, trigger: Trigger, promptID: string | undefined): void {
  const repeated = promptID !== undefined && promptID === session.promptID;
  if (promptID !== undefined) session.promptID = promptID;
  if (repeated && trigger !== "typed") return;
  if (trigger === "typed" && !repeated) closeAll(step, session, "resumed");
  if (session.turn.phase === "running") progress(step, session, { kind: "prompted", trigger });
  else session.nextTrigger = trigger;
}

/** The host says that somebody saw the session. It is about the last end; a round that goes on has none yet. */
function viewed(step: Step, session: Session): void {
  if (session.turn.phase !== "running") progress(step, session, { kind: "viewed" });
  sessionSeen(step, session.id);
  leaveSummary(step, session.id);
}

function forget(step: Step, session: Session): void {
  const { state } = step;
  const rootID = rootOf(state, session.id);
  closeAll(step, session, "ended");
  forgetRound(step, session);
  addNewest(state.deleted, session.id, rememberedDeletions);
  removeSession(state, session);
  forgetAlerts(step, session.id);
  leaveSummary(step, session.id);
  familyChanged(step, rootID);
}
