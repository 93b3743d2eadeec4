import type { Clock } from "../../src/shared/clock.ts";
import type { Location } from "./event.ts";
import type { MakeID } from "./ids.ts";
import type { Publisher } from "./publisher.ts";
import { type ErrorInfo, type InboxItem, type InterruptReason, type Outcome, someTokens } from "./records.ts";
import { createdData, type Session } from "./session.ts";

export type LogDeps = {
  clock: Clock;
  id: MakeID;
  publisher: Publisher;
  /** False for the alpha, whose context had no idle markers (fixtures). */
  idleMarkers: boolean;
};

/** How an execution ended (§4.2). */
export type Ending =
  | { outcome: "succeeded" }
  | { outcome: "failed"; error: ErrorInfo }
  | { outcome: "interrupted"; reason: InterruptReason };

export type Log = ReturnType<typeof createSessionLog>;

/** Changes a session's record and tells it, in this order: what an event says is already readable (§4.2, idle marker). */
export function createSessionLog({ clock, id, publisher, idleMarkers }: LogDeps) {
  function emit(session: Session, type: string, data: Record<string, unknown> = {}) {
    session.lastEventAt = clock.wall();
    session.info.time.updated = session.lastEventAt;
    return publisher.emit(type, { sessionID: session.id, ...data }, { session });
  }

  /** §4.7: `time.idle` and `outcome` are set at a terminal event. §5.3: a shutdown records no marker. */
  function settle(session: Session, outcome: Outcome, marker: boolean) {
    const now = clock.wall();
    session.info.outcome = outcome;
    session.info.time.idle = now;
    if (marker && idleMarkers) session.messages.push({ id: id("msg"), time: { created: now }, type: "idle", outcome });
  }

  function project(session: Session, inboxID: string, item: InboxItem) {
    const { text = "", description, metadata } = item.payload;
    const base = { id: inboxID, time: { created: clock.wall() }, ...(metadata === undefined ? {} : { metadata }) };
    if (item.type === "user") session.messages.push({ ...base, type: "user", text });
    if (item.type === "synthetic")
      session.messages.push({
        ...base,
        type: "synthetic",
        text,
        ...(description === undefined ? {} : { description }),
      });
  }

  return {
    emit,
    /** Of a session's place, without naming the session in `data` (§4.6, shells). */
    emitBeside: (session: Session, type: string, data: Record<string, unknown>) =>
      publisher.emit(type, data, { session }),
    created: (session: Session) => publisher.emit("session.created", createdData(session), { session }),
    enqueued(session: Session, item: InboxItem, inboxID = id("msg")): string {
      session.inbox.push({ id: inboxID, item });
      emit(session, "session.inbox.enqueued", { inboxID, item });
      return inboxID;
    },
    delivered(session: Session, inboxID: string): InboxItem | undefined {
      const at = session.inbox.findIndex((each) => each.id === inboxID);
      const [entry] = at < 0 ? [] : session.inbox.splice(at, 1);
      if (entry === undefined) return undefined;
      project(session, inboxID, entry.item);
      emit(session, "session.inbox.delivered", { inboxID });
      return entry.item;
    },
    cancelled(session: Session, inboxID: string) {
      session.inbox = session.inbox.filter((each) => each.id !== inboxID);
      emit(session, "session.inbox.cancelled", { inboxID });
    },
    started: (session: Session) => emit(session, "session.execution.started"),
    /** §4.2: exactly one terminal event, and the marker stands before it. */
    ended(session: Session, ending: Ending) {
      settle(session, ending.outcome, !(ending.outcome === "interrupted" && ending.reason === "shutdown"));
      if (ending.outcome === "succeeded") return emit(session, "session.execution.succeeded");
      if (ending.outcome === "failed") return emit(session, "session.execution.failed", { error: ending.error });
      return emit(session, "session.execution.interrupted", { reason: ending.reason });
    },
    usage: (session: Session) => emit(session, "session.usage.updated", { cost: 0, tokens: someTokens }),
    renamed(session: Session, title: string) {
      session.info.title = title;
      emit(session, "session.renamed", { title });
    },
    moved(session: Session, location: Location) {
      session.info.location = { ...location };
      session.messages.push({ id: id("msg"), time: { created: clock.wall() }, type: "location-switched", location });
      emit(session, "session.moved", { location, projectID: session.info.projectID });
    },
    /** §4.5: its parentID is where it was forked from; the new session's info has none. */
    forked: (session: Session, from: string, boundary: number) =>
      emit(session, "session.forked", { parentID: from, boundary }),
    deleted(session: Session) {
      session.deleted = true;
      emit(session, "session.deleted");
    },
    /** §4.7 */
    viewed(session: Session, idle: number) {
      session.info.time.viewed = idle;
      emit(session, "session.viewed", { idle });
    },
  };
}
