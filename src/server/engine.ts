import type { Clock } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";
import type { Call } from "./alerts/call.ts";
import { createCalls } from "./alerts/calls.ts";
import type { Decision } from "./alerts/decision.ts";
import { answerButtons, bannerKey, deliver, type Handed, noteFor, summaryKey, summaryNote } from "./alerts/deliver.ts";
import type { PushTarget } from "./alerts/later.ts";
import { subjectOf } from "./alerts/subject.ts";
import { createSummary } from "./alerts/summary.ts";
import type { Alert } from "./alerts/words.ts";
import type { Config } from "./config/schema.ts";
import type { Channels, Delivery, Note, NoteEvent } from "./delivery/channel.ts";
import type { Presence } from "./focus/presence.ts";
import type { Wording } from "./locales/wording.ts";
import type { SessionRecord } from "./session/records.ts";
import {
  createRegistry,
  type HostQueries,
  type Remembered,
  type SessionRules,
  type SessionSink,
} from "./session/registry.ts";

/** What one engine hands to the next: plain data. */
export type EngineState = {
  records: SessionRecord[];
  calls: Call[];
  remembered: Remembered;
  /** Epoch ms of the first one's start: what happened since then is nobody's past. */
  startedAt: number;
};

export type EngineDeps = {
  clock: Clock;
  log: Log;
  /** Epoch ms of the plugin's own start. */
  startedAt: number;
  config(): Config;
  wording(): Wording;
  presence(): Presence;
  mutedUntil(): number | undefined;
  timeZone?: string;
  channels: Channels;
  host: HostQueries;
  /** The folder named when a session's own is not known. */
  directory?: string;
  record(decision: Decision): void;
  /** False: nobody sits in front of this machine's desktop, so a terminal is asked first. */
  hasDesktop?(): boolean;
  /** Behind a locked screen nobody looks. Undefined: not known. */
  isLocked?(): Promise<boolean | undefined>;
  push?: { send(note: Note, target: PushTarget): Promise<Delivery>; withdraw(key: string): Promise<void> };
  /** Brings the session, and the terminal that shows it, in front of the person. */
  goTo?(sessionID: string, token: string | undefined): void;
  /** Answers a permission through the host. Rejects when the host refuses. */
  answer?(sessionID: string, requestID: string, decision: "once" | "reject"): Promise<void>;
  /** For a process that is about to end: a banner that outlives it. Without it a deserved alert is silent then. */
  handOver?(note: Note): boolean;
  state?: EngineState;
};

/** More titles than this do not fit on a summary's banner. */
const mostNamed = 5;

/** Decides and delivers for all sessions of one process. No host, no disk, no clock of its own. */
export function createEngine(deps: EngineDeps) {
  const { clock, log, channels, record, config } = deps;
  const startedAt = deps.state?.startedAt ?? deps.startedAt;
  const subject = (sessionID: string) => subjectOf(registry.records, sessionID, deps.directory);

  const calls = createCalls({
    clock,
    log,
    config,
    presence: deps.presence,
    mutedUntil: deps.mutedUntil,
    ...(deps.timeZone === undefined ? {} : { timeZone: deps.timeZone }),
    subject,
    rootOf: (sessionID) => registry.records.rootOf(sessionID),
    deliver: ({ call, subject, plan, overdue }) => {
      const note = noteFor({ alert: withOpen(call.alert, call.sessionID), subject, plan, overdue }, deps);
      return ending ? handOver(note, plan.banner) : deliver(withActions(note), plan, deps);
    },
    push: ({ call, subject, target }) => push(noteFor({ alert: call.alert, subject }, deps), target),
    refresh: ({ subject, requests }) => {
      const note = noteFor({ alert: { kind: "pause", requests }, subject }, deps);
      channels.banner?.send(withActions(note)).catch((bug) => log(`refresh: ${String(bug)}`));
    },
    takeBack: (sessionID) => takeBack(bannerKey(sessionID)),
    record,
    changed: () => summary.review(),
    ...(deps.isLocked === undefined ? {} : { isLocked: deps.isLocked }),
    ...(deps.state === undefined ? {} : { seed: deps.state.calls }),
  });

  const summary = createSummary({
    finished: calls.finished,
    fold: calls.summarised,
    show: (sessionIDs) => {
      const titles = sessionIDs.slice(-mostNamed).map((sessionID) => subject(sessionID).title);
      const note = summaryNote(sessionIDs.length, titles, deps);
      channels.banner?.send(note).catch((bug) => log(`summary: ${String(bug)}`));
    },
    takeBack: () => takeBack(summaryKey),
  });

  function takeBack(key: string): void {
    for (const holder of [...Object.values(channels), ...(deps.push === undefined ? [] : [deps.push])])
      holder.withdraw(key).catch((bug) => log(`take back: ${String(bug)}`));
  }

  /** The banner names every request of the session that is still open, once. */
  function withOpen(alert: Alert, sessionID: string): Alert {
    if (alert.kind !== "pause") return alert;
    const all = [...calls.openRequests(sessionID), ...alert.requests];
    return { ...alert, requests: [...new Map(all.map((request) => [request.requestID, request])).values()] };
  }

  /** A click goes to the session; a lone permission can be answered from its banner, where the person wants that. */
  function withActions(note: Note): Note {
    const { actions: labels } = deps.wording();
    const requests = calls.openRequests(note.sessionID);
    const answerable =
      note.kind === "pause" && config().alerts.pause.actions && deps.answer !== undefined && requests.length === 1;
    const buttons = answerable && requests[0]?.about === "permission" ? answerButtons(labels) : [];
    const click = deps.goTo === undefined ? [] : [{ key: "default", label: note.title }];
    return { ...note, actions: [...click, ...buttons] };
  }

  const push = async (note: Note, target: PushTarget): Promise<Handed> => {
    const delivery = await deps.push?.send(note, target);
    const title = target.title ? note.title : (note.away?.title ?? note.title);
    const message = target.detail ? note.body : (note.away?.body ?? note.body);
    if (delivery?.ok === true) return { title, message, channels: ["push"] };
    const failure = delivery === undefined || delivery.reason === "unavailable" ? "no-channel" : "channel-error";
    return { title, message, channels: [], failure };
  };

  /** What the person did to a banner. An ask that is open no more is not answered. */
  function acted({ sessionID, ...event }: NoteEvent): void {
    if (event.type === "closed") return calls.bannerClosed(sessionID, event.why === "dismissed");
    if (event.action === "default") return deps.goTo?.(sessionID, event.token);
    const decision = event.action === "allow" ? "once" : "reject";
    const requestID = calls.answering(sessionID, decision);
    if (requestID === undefined) return log(`banner: ${event.action} came too late, nothing was answered`);
    deps.answer?.(sessionID, requestID, decision).catch((error) => log(`banner: the host refused: ${String(error)}`));
  }

  const sink: SessionSink = {
    silent: calls.silent,
    deferred: calls.deferred,
    done: (sessionID, workedMs, seen) => ended({ kind: "done", workedMs }, sessionID, seen),
    failed: (sessionID, name, seen) => ended({ kind: "error", name }, sessionID, seen),
    stuck: (sessionID, attempt) => calls.open({ kind: "error", attempt }, sessionID, "stuck"),
    asks: ({ sessionID, requests }) =>
      calls.open({ kind: "pause", requests }, sessionID, "unattended", requests[0]?.requestID),
    closed: calls.closed,
    worksAgain: (sessionID) => {
      calls.worksAgain(sessionID);
      summary.without(sessionID);
    },
    seen: (sessionID) => {
      calls.seen(sessionID);
      summary.without(sessionID);
    },
    forgotten: (sessionID) => {
      calls.forgotten(sessionID);
      summary.without(sessionID);
    },
  };

  let ending = false;

  function ended(alert: Alert, sessionID: string, seen: boolean): void {
    if (ending && deps.handOver === undefined) return calls.silent(alert.kind, sessionID, "shutdown");
    calls.open(alert, sessionID, "unattended", undefined, seen);
  }

  const handOver = async (note: Note, wanted: boolean): Promise<Handed> => {
    const started = wanted && deps.handOver?.(note) === true;
    const { title, body: message } = note;
    return started ? { title, message, channels: ["banner"] } : { title, message, channels: [], failure: "no-channel" };
  };

  const registry = createRegistry({
    clock,
    log,
    startedAt,
    rules: () => rulesOf(config()),
    host: deps.host,
    sink,
    ...(deps.state === undefined ? {} : { seed: deps.state.records, remembered: deps.state.remembered }),
  });

  return {
    receive: registry.receive,
    records: registry.records,
    presenceChanged: calls.presenceChanged,
    acted,
    subject,
    /** Decides at once what waits in a settle window, with the facts at hand. */
    settle(concerns: (sessionID: string) => boolean): void {
      ending = true;
      registry.settle(({ id }) => concerns(id));
      ending = false;
    },
    /** Resolves when everything on its way to a channel has arrived or failed, and its lines are written. */
    async delivered(): Promise<void> {
      await Promise.all(calls.all().map(({ handed }) => handed));
      await Promise.resolve();
    },
    /** Stops every timer and hands its state over. */
    stop(): EngineState {
      registry.stop();
      calls.stop();
      const remembered = registry.remembered();
      return { records: [...registry.records.all()], calls: [...calls.all()], remembered, startedAt };
    },
    resume(): void {
      registry.resume();
      calls.resume();
    },
  };
}

const rulesOf = ({ alerts: { pause, done, error } }: Config): SessionRules => ({
  work: done.work,
  delegated: done.delegated,
  minSeconds: done.minSeconds,
  stuckAfterSeconds: error.stuckAfterSeconds,
  settleMs: { pause: pause.settleMs, done: done.settleMs, error: error.settleMs },
});
