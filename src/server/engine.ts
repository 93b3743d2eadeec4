import type { Clock } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";
import { type Call, createCalls } from "./alerts/calls.ts";
import type { Decision } from "./alerts/decision.ts";
import { bannerKey, deliver, type Handed, noteFor } from "./alerts/deliver.ts";
import { subjectOf } from "./alerts/subject.ts";
import type { Alert } from "./alerts/words.ts";
import type { Config } from "./config/schema.ts";
import type { Channels, Note } from "./delivery/channel.ts";
import type { Presence } from "./focus/presence.ts";
import type { Wording } from "./locales/wording.ts";
import type { SessionRecord } from "./session/records.ts";
import { createRegistry, type HostQueries, type SessionRules, type SessionSink } from "./session/registry.ts";

/** What one engine hands to the next: plain data. */
export type EngineState = { records: SessionRecord[]; calls: Call[] };

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
  /** For a process that is about to end: a banner that outlives it. Without it a deserved alert is silent then. */
  handOver?(note: Note): boolean;
  state?: EngineState;
};

export type Engine = ReturnType<typeof createEngine>;

/** Decides and delivers for all sessions of one process. No host, no disk, no clock of its own. */
export function createEngine(deps: EngineDeps) {
  const { clock, log, channels, record, config } = deps;
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
      const open = calls.openRequests(call.sessionID);
      const alert =
        call.alert.kind === "pause" ? { ...call.alert, requests: merged(open, call.alert.requests) } : call.alert;
      const note = noteFor({ alert, subject, plan, overdue }, deps);
      return ending ? handOver(note) : deliver(note, plan, deps);
    },
    refresh: ({ subject, requests }) => {
      channels.banner
        ?.send(noteFor({ alert: { kind: "pause", requests }, subject }, deps))
        .catch((bug) => log(`refresh: ${String(bug)}`));
    },
    takeBack: (sessionID) => {
      for (const channel of Object.values(channels))
        channel.withdraw(bannerKey(sessionID)).catch((bug) => log(`take back: ${String(bug)}`));
    },
    record,
    ...(deps.state === undefined ? {} : { seed: deps.state.calls }),
  });

  const sink: SessionSink = {
    silent: calls.silent,
    deferred: calls.deferred,
    done: (sessionID, workedMs, seen) => ended({ kind: "done", workedMs }, sessionID, seen),
    failed: (sessionID, name, seen) => ended({ kind: "error", name }, sessionID, seen),
    stuck: (sessionID, attempt) => calls.open({ kind: "error", attempt }, sessionID, "stuck"),
    asks: ({ sessionID, requests }) =>
      calls.open({ kind: "pause", requests }, sessionID, "unattended", requests[0]?.requestID),
    closed: calls.closed,
    worksAgain: calls.worksAgain,
    seen: calls.seen,
    forgotten: calls.forgotten,
  };

  let ending = false;

  function ended(alert: Alert, sessionID: string, seen: boolean): void {
    if (ending && deps.handOver === undefined) return calls.silent(alert.kind, sessionID, "shutdown");
    calls.open(alert, sessionID, "unattended", undefined, seen);
  }

  const handOver = async (note: Note): Promise<Handed> => {
    const started = deps.handOver?.(note) === true;
    const { title, body: message } = note;
    return started ? { title, message, channels: ["banner"] } : { title, message, channels: [], failure: "no-channel" };
  };

  const registry = createRegistry({
    clock,
    log,
    startedAt: deps.startedAt,
    rules: () => rulesOf(config()),
    host: deps.host,
    sink,
    ...(deps.state === undefined ? {} : { seed: deps.state.records }),
  });

  return {
    receive: registry.receive,
    records: registry.records,
    presenceChanged: calls.presenceChanged,
    subject,
    /** Decides at once what waits in a settle window, with the facts at hand. */
    settle(concerns: (sessionID: string) => boolean): void {
      ending = true;
      registry.settle(({ id }) => concerns(id));
      ending = false;
    },
    /** Stops every timer and hands its state over. */
    stop(): EngineState {
      registry.stop();
      calls.stop();
      return { records: [...registry.records.all()], calls: [...calls.all()] };
    },
    resume(): void {
      registry.resume();
      calls.resume();
    },
  };
}

/** What is open already first, each request once. */
function merged<R extends { requestID: string }>(open: readonly R[], more: readonly R[]): R[] {
  return [...new Map([...open, ...more].map((request) => [request.requestID, request])).values()];
}

const rulesOf = ({ alerts: { pause, done, error } }: Config): SessionRules => ({
  work: done.work,
  delegated: done.delegated,
  minSeconds: done.minSeconds,
  stuckAfterSeconds: error.stuckAfterSeconds,
  settleMs: { pause: pause.settleMs, done: done.settleMs, error: error.settleMs },
});
