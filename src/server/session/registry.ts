import type { Clock } from "../../shared/clock.ts";
import { createGuard, type Guard } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import type { AlertKind, SilentReason, WithdrawnReason } from "../alerts/decision.ts";
import { createBeginning } from "./beginning.ts";
import { createEnds } from "./ends.ts";
import type { Ask, HostEvent, SessionEvent } from "./event.ts";
import { createMemory } from "./memory.ts";
import { createProgress } from "./progress.ts";
import { createRecords, type SessionRecord, waitsForPerson } from "./records.ts";
import type { MessageView } from "./round.ts";
import type { VerdictRules } from "./verdict.ts";
import { createWaiting } from "./waiting.ts";

/** What the host says about one session when asked. */
export type SessionFacts = { title?: string; parentID: string | null; directory?: string };

/** What we ask of a host. A rejected promise means "not known"; nothing waits longer than `lookUpMs`. */
export type HostQueries = {
  session(sessionID: string): Promise<SessionFacts | "missing">;
  messages(sessionID: string): Promise<readonly MessageView[]>;
  /** Answers a permission in the person's name. Absent where a host offers no way. */
  answer?(sessionID: string, requestID: string, decision: "once" | "reject"): Promise<void>;
};

export type SessionRules = VerdictRules & {
  settleMs: Record<AlertKind, number>;
  /** 0 = never told. */
  stuckAfterSeconds: number;
};

/** Asks told together, oldest first. */
export type DueAsks = { sessionID: string; requests: readonly Ask[] };

/** How an ask that was told came to its end. */
export type AskEnd = Exclude<WithdrawnReason, "seen" | "summarised">;

/** What comes of it. Called synchronously, in the order things were decided. */
export type SessionSink = {
  silent(alert: AlertKind, sessionID: string, reason: SilentReason, requestID?: string): void;
  deferred(sessionID: string, reason: "children-running" | "more-queued"): void;
  done(sessionID: string, workedMs: number, seen: boolean): void;
  failed(sessionID: string, name: string, seen: boolean): void;
  stuck(sessionID: string, attempt: number): void;
  asks(due: DueAsks): void;
  /** An ask that was told is open no more. */
  closed(sessionID: string, requestID: string, why: AskEnd): void;
  worksAgain(sessionID: string): void;
  seen(sessionID: string): void;
  /** A bug of ours: what was being decided is told to nobody. */
  broken(alert: AlertKind, sessionID: string, requestID?: string): void;
  forgotten(sessionID: string): void;
};

export type RegistryDeps = {
  clock: Clock;
  /** Epoch ms: older events only build state. */
  startedAt: number;
  rules(): SessionRules;
  host: HostQueries;
  sink: SessionSink;
  log: Log;
  seed?: readonly SessionRecord[];
  remembered?: Remembered;
};

/** Every way into a session's state but an event: a timer, an answer of the host. */
export type Entry = {
  /** Never throws: a bug met on the way ends what was being decided about that session, and nothing else. */
  enter(sessionID: string, run: () => void): void;
  guard: Guard;
};

/** Oldest first. Outlives a take-over: what one instance has heard, another may only be about to hear. */
export type Remembered = { events: readonly string[]; deletions: readonly string[] };

/** Event ids remembered, so that an event heard through several instances counts once. */
const rememberedEvents = 2_048;
const rememberedDeletions = 256;

/** One state and its timers per session. Feeds events to the small machines and passes on what they decide. */
export function createRegistry(deps: RegistryDeps) {
  const { clock, sink } = deps;
  const records = createRecords(deps.seed);
  const heard = createMemory(rememberedEvents, deps.remembered?.events);
  const deleted = createMemory(rememberedDeletions, deps.remembered?.deletions);
  const guard = createGuard(deps.log);
  const entry: Entry = { guard, enter };
  const waiting = createWaiting({ ...deps, ...entry, records, isGone: deleted.has });
  const progress = createProgress({ clock, sink, records, isGone: deleted.has });
  const beginning = createBeginning(clock, deps.startedAt);
  const ends = createEnds({ ...deps, ...entry, records, waiting, beginning });

  function receive({ sessionID, id, created, events }: HostEvent): void {
    if (id !== undefined && heard.has(id)) return;
    if (id !== undefined) heard.add(id);
    if (deleted.has(sessionID)) return;
    const old = created !== undefined && created < beginning();
    const record = records.ensure(sessionID, clock.now());
    record.heardAt = clock.now();
    const waited = waitsForPerson(record);
    for (const event of events) hear(record, event, old);
    if (waitsForPerson(record) !== waited) ends.memberChanged(record);
  }

  function enter(sessionID: string, run: () => void): void {
    try {
      run();
    } catch (bug) {
      guard.report("session", bug);
      giveUp(records.get(sessionID), false);
    }
  }

  const giveUp = guard.guarded("session", (record: SessionRecord | undefined, over: boolean) => {
    if (record === undefined) return;
    waiting.giveUp(record);
    ends.giveUp(record, over);
  });

  /** Whatever it met, the session runs or has ended afterwards, as the host says. */
  function hear(record: SessionRecord, event: SessionEvent, old: boolean): void {
    try {
      apply(record, event, old);
    } catch (bug) {
      guard.report(`event ${event.kind}`, bug);
      giveUp(record, event.kind === "ended" || event.kind === "deleted");
      if (event.kind === "started") ends.beginAnew(record, old);
    }
  }

  function apply(record: SessionRecord, event: SessionEvent, old: boolean): void {
    switch (event.kind) {
      case "described":
        return describe(record, event);
      case "deleted":
        return forget(record);
      case "userMessage":
        record.userMessageID = event.messageID;
        return;
      case "userText":
        if (event.messageID === record.userMessageID) return prompted(record, event.trigger, event.messageID);
        return progress.update(record, { kind: "answering" }); // the model's own text
      case "prompted":
        if (event.queued === true && event.promptID !== undefined)
          record.unread = new Set(record.unread).add(event.promptID);
        return prompted(record, event.trigger, event.promptID);
      case "promptRead":
        record.unread?.delete(event.promptID);
        if (record.turn.phase === "held") ends.familyChanged(record.id); // taken back: no run comes of it
        return;
      case "started":
        return ends.started(record, old);
      case "ended":
        return ends.ended(record, old, event.legacy === true);
      case "retrying":
        return ends.retrying(record, event.attempt, old);
      case "failed":
        return ends.failed(record, event.name);
      case "stepStarted":
      case "stepEnded":
      case "answering":
        return progress.update(record, event);
      case "toolNamed":
      case "toolInput":
      case "toolEnded":
        return progress.tool(record, event);
      case "childLinked":
        return progress.link(record, event);
      case "asked":
        return waiting.asked(record, event.ask, old);
      case "answered":
        return waiting.answered(record, event);
      case "viewed":
        // It is about the last end; the round that goes on has none yet.
        if (record.turn.phase !== "working") progress.update(record, { kind: "viewed" });
        return sink.seen(record.id);
    }
  }

  function describe(
    record: SessionRecord,
    { title, parentID, directory }: Extract<SessionEvent, { kind: "described" }>,
  ): void {
    if (title !== undefined) record.title = title;
    if (directory !== undefined) record.directory = directory;
    if (parentID !== undefined && record.parentID !== parentID) records.place(record, parentID);
  }

  function prompted(record: SessionRecord, trigger: "typed" | "synthetic", promptID: string | undefined): void {
    const repeated = promptID !== undefined && promptID === record.promptID;
    if (promptID !== undefined) record.promptID = promptID;
    if (repeated && trigger !== "typed") return;
    if (trigger === "typed" && !repeated) waiting.clear(record, "resumed");
    if (record.turn.phase === "working") progress.update(record, { kind: "prompted", trigger });
    else record.nextTrigger = trigger;
  }

  function forget(record: SessionRecord): void {
    const rootID = records.rootOf(record.id);
    waiting.clear(record, "ended");
    ends.forget(record);
    deleted.add(record.id);
    records.remove(record.id);
    sink.forgotten(record.id);
    ends.familyChanged(rootID);
  }

  return {
    receive,
    records,
    remembered: (): Remembered => ({ events: heard.all(), deletions: deleted.all() }),
    /** Their host ends: decides at once, with the facts at hand, what waits in a settle window of these sessions. */
    settle: (concerns: (record: SessionRecord) => boolean) => {
      const concerned = [...records.all()].filter(concerns);
      for (const record of concerned) enter(record.id, () => settleOne(record));
      for (const record of concerned) enter(record.id, () => ends.abandon(record));
    },
    /** Stops every timer; the records stay, for whoever takes over. */
    stop: () => {
      ends.stop();
      waiting.stop();
    },
    resume: () => {
      ends.resume();
      waiting.resume();
    },
  };

  function settleOne(record: SessionRecord): void {
    waiting.settle(record);
    ends.settle(record);
  }
}
