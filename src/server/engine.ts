import type { Clock } from "../shared/clock.ts";
import { createGuard } from "../shared/guard.ts";
import type { Log } from "../shared/log.ts";
import { answerable, answerButtons } from "./alerts/answer-buttons.ts";
import type { Call } from "./alerts/call.ts";
import { createCalls } from "./alerts/calls.ts";
import type { Decision } from "./alerts/decision.ts";
import { bannerKey, deliver, type Handed, noteFor, summaryKey, summaryNote } from "./alerts/deliver.ts";
import { guardedAway, guardedChannels } from "./alerts/guarded-channels.ts";
import { createReactions, type ReactionsDeps } from "./alerts/reactions.ts";
import type { Screen } from "./alerts/screen.ts";
import { type Away, sendAway } from "./alerts/send-away.ts";
import { subjectOf } from "./alerts/subject.ts";
import { createSummary } from "./alerts/summary.ts";
import { createWhatIsUp } from "./alerts/what-is-up.ts";
import type { Alert } from "./alerts/words.ts";
import type { Config } from "./config/schema.ts";
import type { Channels, Note, StillUp } from "./delivery/channel.ts";
import { isLastUsedBySsh, type Presence } from "./focus/presence.ts";
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
  /** Sessions the summary names. */
  summarised: string[];
  remembered: Remembered;
  /** Epoch ms of the first one's start: what happened since then is nobody's past. */
  startedAt: number;
  /** What its channels show. */
  up?: StillUp;
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
  screen?: Screen;
  push?: Away;
  /** For a process that is about to end: a banner that outlives it. Without it a deserved alert is silent then. */
  handOver?(note: Note): boolean;
  state?: EngineState;
} & Pick<ReactionsDeps, "goTo" | "answer">;

/** More titles than this do not fit on a summary's banner. */
const mostNamed = 5;

/** Decides and delivers for all sessions of one process. No host, no disk, no clock of its own. */
export function createEngine(given: EngineDeps) {
  const { clock, log, config } = given;
  const guard = createGuard(log);
  const channels = guardedChannels(given.channels, guard);
  const record = guard.guarded("decision", given.record);
  const push = given.push === undefined ? {} : { push: guardedAway(given.push, guard) };
  const deps: EngineDeps = { ...given, ...push, channels, record };
  const startedAt = deps.state?.startedAt ?? deps.startedAt;
  const subject = (sessionID: string) => subjectOf(registry.records, sessionID, deps.directory);
  const canAnswer = deps.answer !== undefined;
  const isBehindSsh = () => isLastUsedBySsh(deps.presence(), { now: clock.now(), wall: clock.wall() });

  const whatIsUp = createWhatIsUp(deps);
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
      return ending ? handOver(note, plan.banner) : deliver(withActions(note), plan, { ...deps, isBehindSsh });
    },
    push: ({ call: { alert }, subject, target }) =>
      sendAway(
        { alert, target, note: noteFor({ alert, subject }, deps) },
        { ...deps, canAnswer, isOpen: calls.isOpen },
      ),
    refresh: ({ subject, requests }) => {
      const alert: Alert = { kind: "pause", requests };
      return whatIsUp.update(withActions(noteFor({ alert, subject }, deps)));
    },
    takeBack: (sessionID) => whatIsUp.takeBack(bannerKey(sessionID)),
    record,
    changed: guard.guarded("summary", () => summary.review()),
    ...(deps.screen === undefined ? {} : { screen: unlessEnding(deps.screen) }),
    ...(deps.state === undefined ? {} : { seed: deps.state.calls }),
  });

  const summary = createSummary({
    finished: calls.finished,
    fold: calls.summarised,
    show: guard.guarded("summary", (sessionIDs) => channels.banner?.send(summaryOf(sessionIDs))),
    update: guard.guarded("summary", (sessionIDs) => whatIsUp.update(summaryOf(sessionIDs))),
    takeBack: guard.guarded("summary", () => whatIsUp.takeBack(summaryKey)),
    ...(deps.state === undefined ? {} : { seed: deps.state.summarised }),
  });

  const summaryOf = (sessionIDs: readonly string[]): Note => {
    const titles = sessionIDs.slice(-mostNamed).map((sessionID) => subject(sessionID).title);
    return summaryNote(sessionIDs.length, titles, deps);
  };

  /** The banner names every request of the session that is still open, once. */
  function withOpen(alert: Alert, sessionID: string): Alert {
    if (alert.kind !== "pause") return alert;
    const all = [...calls.openRequests(sessionID), ...alert.requests];
    return { ...alert, requests: [...new Map(all.map((request) => [request.requestID, request])).values()] };
  }

  /** A click goes to the session; a lone permission can be answered from its banner, where the person wants that. */
  function withActions(note: Note): Note {
    const { actions } = config().alerts.pause;
    const asked = answerable({ kind: "pause", requests: calls.openRequests(note.sessionID) });
    const asks = note.kind === "pause" && actions && canAnswer ? asked : undefined;
    const buttons = asks === undefined ? [] : answerButtons(asks, deps.wording().actions);
    const click = deps.goTo === undefined ? [] : [{ key: "default", label: note.title }];
    return { ...note, actions: [...click, ...buttons] };
  }

  const acted = guard.guarded(
    "banner",
    createReactions({
      ...{ log, config, calls, summary },
      ...(deps.goTo === undefined ? {} : { goTo: deps.goTo }),
      ...(deps.answer === undefined ? {} : { answer: deps.answer }),
    }),
  );

  const sink: SessionSink = guardedSink({
    silent: calls.silent,
    deferred: calls.deferred,
    broken: calls.broken,
    done: (sessionID, workedMs, seen) => ended({ kind: "done", workedMs }, sessionID, seen),
    failed: (sessionID, name, seen) => ended({ kind: "error", name }, sessionID, seen),
    stuck: (sessionID, attempt) => calls.open({ kind: "error", attempt }, sessionID, "stuck"),
    asks: ({ sessionID, requests }) =>
      calls.open({ kind: "pause", requests }, sessionID, "unattended", requests[0]?.requestID),
    closed: (sessionID, requestID, why) => {
      calls.closed(sessionID, requestID, why);
      deps.push?.closed?.(requestID);
    },
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
  });

  /** What follows a decision about a session is not the session's affair: it goes on whatever that met. */
  function guardedSink(sink: SessionSink): SessionSink {
    return {
      silent: guard.guarded("silent", sink.silent),
      deferred: guard.guarded("deferred", sink.deferred),
      done: guard.guarded("done", sink.done),
      failed: guard.guarded("failed", sink.failed),
      stuck: guard.guarded("stuck", sink.stuck),
      asks: guard.guarded("asks", sink.asks),
      closed: guard.guarded("closed", sink.closed),
      worksAgain: guard.guarded("worksAgain", sink.worksAgain),
      seen: guard.guarded("seen", sink.seen),
      broken: guard.guarded("broken", sink.broken),
      forgotten: guard.guarded("forgotten", sink.forgotten),
    };
  }

  let ending = false;

  /** A process that ends has no time for questions. */
  function unlessEnding(screen: Screen): Screen {
    return {
      isLocked: async () => (ending ? undefined : screen.isLocked()),
      doNotDisturb: async () => (ending ? undefined : screen.doNotDisturb()),
    };
  }

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
      calls.settle(concerns);
      ending = true;
      try {
        registry.settle(({ id }) => concerns(id));
      } finally {
        ending = false;
      }
    },
    /** Resolves when everything on its way to a channel has arrived or failed, and its lines are written. */
    async delivered(): Promise<void> {
      await calls.finishedTelling();
    },
    /** Stops every timer and hands its state over. */
    stop(): EngineState {
      registry.stop();
      calls.stop();
      return {
        records: [...registry.records.all()],
        calls: [...calls.all()],
        summarised: summary.named(),
        remembered: registry.remembered(),
        startedAt,
      };
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
