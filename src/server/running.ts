import { existsSync } from "node:fs";
import type { Clock } from "../shared/clock.ts";
import { answering, edges, guarded, unattended } from "../shared/guard.ts";
import type { Log } from "../shared/log.ts";
import { within } from "../shared/within.ts";
import type { Decision } from "./alerts/decision.ts";
import { notify } from "./alerts/notify.ts";
import { subjectOf } from "./alerts/subject.ts";
import { tellGrants } from "./config/grants.ts";
import { configPath, type Place, relayDirs } from "./config/location.ts";
import type { SettingChange } from "./config/save.ts";
import type { Config } from "./config/schema.ts";
import { createAttachedTerminal } from "./delivery/attached-terminal.ts";
import { sessionBusPaths } from "./delivery/bus-address.ts";
import type { NoteEvent } from "./delivery/channel.ts";
import { channelDeadlinesMs } from "./delivery/channel-deadlines.ts";
import { createChannels } from "./delivery/channels.ts";
import { createChannel } from "./delivery/create-channel.ts";
import { createLazyDesktopState } from "./delivery/lazy-desktop-state.ts";
import { lazyDetached } from "./delivery/lazy-detached.ts";
import { createLazyPush } from "./delivery/lazy-push.ts";
import { hasDesktop } from "./delivery/platform.ts";
import { thisPlatform } from "./delivery/this-platform.ts";
import { type Details, startDetails } from "./details.ts";
import { createEngine, type EngineState } from "./engine.ts";
import { chooseTerminals, isLastUsedBySsh } from "./focus/presence.ts";
import { type Lease, leaseRelay } from "./focus/shared-relay.ts";
import { findNativeAttention } from "./host-files/native-attention.ts";
import { keepForAWhile } from "./keep-for-a-while.ts";
import { chooseLocale, wordingFor } from "./locales/locale.ts";
import { createMachine, type Machine } from "./machine.ts";
import type { Queries, Running } from "./members.ts";
import { createRecent, type Recent } from "./recent.ts";
import { createRecording } from "./recording.ts";
import type { Records } from "./session/records.ts";
import { type StatusReport, statusLines, statusOf } from "./status.ts";
import { createTerminalNotices } from "./terminal-notices.ts";
import { testAlert, testPush, testWords } from "./test-alert.ts";

export type RunningOptions = {
  line: "v1" | "v2";
  place: Place;
  pid: number;
  /** A one-shot process: it ends right after its session does, and nobody attaches to it. */
  oneShot: boolean;
};

/** What is on its way to a daemon when the process ends gets this long, ms; nothing on its way waits for nothing. */
const lastDeliveryMs = 1_000;

/** The real thing: this machine's disk, desktop and terminals around one engine. One per process. */
export function createRunning(options: RunningOptions, queries: Queries, state: EngineState | undefined): Running {
  const { line, place, oneShot } = options;
  const { env } = place;
  const machine = createMachine(place, options.pid);
  const { clock, debug, journal, settings } = machine;
  const log = debug.problem;
  const platform = thisPlatform();
  const recent = createRecent();
  let stopped = false;
  const details = startDetails(machine, line);
  const host = settings.host(details?.watched(queries.host) ?? queries.host);
  const notices = createTerminalNotices({
    clock,
    attached: () => relay.presence().keys(),
    toast: (terminalID, message, title) => relay.terminals.toast(terminalID, message, title),
  });
  const tellNotices = guarded("notices", notices.presenceChanged);
  let known: (() => Config) | undefined; // what was in force before the first look is nobody's change
  const config = (): Config => (known ?? machine.config.current)();
  async function afterFirstLook(): Promise<void> {
    await settings.look();
    known = tellGrants(machine.config.current, guarded("notices", notices.tell));
    if (state !== undefined && !stopped) engine.resume(); // it decides at once what waited
  }

  const relay = leaseRelay(
    { clock, folders: relayDirs(place), onlyTCP: env.BECKON_TRANSPORT === "tcp", line, listen: !oneShot },
    {
      log,
      directories: queries.directories,
      maxTerminals: () => config().alerts.focus.maxTerminals,
      onPresence: () => {
        engine.presenceChanged();
        watchPresence();
        tellNotices();
      },
      observer: () => ({
        async status() {
          const told = await status();
          return { ...told, lines: statusLines(told) };
        },
        async record(onLine) {
          await settings.look();
          return recording.start(onLine);
        },
        mute: machine.muteFor,
        test,
        async testPush(kind) {
          await settings.look();
          return testPush(kind, push, config(), deciding.wording());
        },
      }),
    },
  );
  const watchPresence = guarded("recording", () => {
    recording.presenceChanged();
    details?.presenceChanged(relay.presence());
  });
  unattended("relay", tellRelayProblem(relay, oneShot, log));
  const recording = createRecording({
    clock,
    line,
    platform,
    directories: queries.directories,
    config,
    mutedUntil: machine.mutedUntil,
    sessions: () => engine.records.all(),
    presence: relay.presence,
  });

  const moment = () => ({ now: clock.now(), wall: clock.wall() });

  /** Terminals that can do something for a session, the one that shows it first, then by last use. */
  function terminalsFor(sessionID: string): string[] {
    const rootID = engine.records.rootOf(sessionID);
    const shows = (shown: string): boolean => engine.records.rootOf(shown) === rootID;
    return chooseTerminals(relay.presence(), shows, moment()).map(({ id }) => id);
  }

  const terminal = createAttachedTerminal({
    candidates: ({ sessionID }) => terminalsFor(sessionID),
    ...relay.terminals,
  });
  /** Whether an answer counts is a setting, too. */
  const acted = (event: NoteEvent) =>
    unattended(
      "note",
      settings.look().then(() => engine.acted(event)),
    );
  const deadlineMs = channelDeadlinesMs.terminal;
  const up = state?.up;
  const channels = {
    ...createChannels({
      ...{ platform, env, clock, log, onNote: acted },
      ...(up === undefined ? {} : { adopted: up.channels }),
    }),
    terminal: createChannel({
      ...{ name: "terminal", outlets: [terminal], deadlineMs, clock, log },
      adopted: up?.channels.terminal ?? [],
    }),
  };

  const seesDesktop = () => hasDesktop(platform, env, () => sessionBusPaths(env).some(existsSync));

  const push = createLazyPush({
    ...{ env, clock, log, onNote: acted },
    async answersCount({ url, topic }) {
      await settings.look();
      return config().alerts.push.some(
        (target) => target.type === "ntfy" && target.actions && target.url === url && target.topic === topic,
      );
    },
    ...(up === undefined ? {} : { adopted: up.away }),
  });
  const desktop = createLazyDesktopState({ platform, env, clock });
  const record = recorder(machine, relay, recent, details);
  const notifyDeps = {
    channels,
    config,
    hasDesktop: seesDesktop,
    isBehindSsh: () => isLastUsedBySsh(relay.presence(), moment()),
    platform,
    now: clock.now,
    record,
    guard: edges,
  };

  const deciding = {
    ...{ clock: settings.clock, log, startedAt: clock.wall(), config, host, presence: relay.presence },
    wording: () => wordingFor(chooseLocale(config().locale, env)),
    mutedUntil: machine.mutedUntil,
    ...(oneShot ? { handOver: lazyDetached(platform, env) } : {}),
  };
  const engine = createEngine({
    ...deciding,
    channels,
    hasDesktop: seesDesktop,
    screen: {
      isLocked: async () => (seesDesktop() ? desktop.isLocked() : undefined),
      doNotDisturb: async () => (seesDesktop() ? desktop.doNotDisturb() : undefined),
    },
    push,
    goTo: (sessionID) => {
      const [best] = terminalsFor(sessionID);
      if (best !== undefined) relay.terminals.navigate(best, sessionID);
    },
    ...(host.answer === undefined ? {} : { answer: host.answer }),
    record: (decision) => record(titled(decision, engine.records)),
    ...(state === undefined ? {} : { state }),
  });
  unattended("settings", afterFirstLook());

  async function status(): Promise<StatusReport> {
    const [nativeAttention] = await Promise.all([
      findNativeAttention(place, line, queries.directories()),
      settings.look(),
    ]);
    return statusOf({
      line,
      pid: options.pid,
      configPath: configPath(place),
      configProblem: machine.config.problem(),
      mutedUntil: machine.mutedUntil(),
      nativeAttention,
      sessions: engine.records.size(),
      presence: relay.presence(),
      at: moment(),
      decisions: recent.all(),
    });
  }

  async function test(): Promise<string> {
    await settings.look();
    const { mode } = config().notifications;
    return mode === "none" ? 'notifications.mode is "none"' : testWords(await notify(testAlert(mode), notifyDeps));
  }

  /** Decided by another engine, which has no channels any more. */
  function lastWords(left: EngineState): void {
    const record = (decision: Decision) =>
      journal.appendNow(titled(decision, last.records), { wall: wallOf(decision, clock) });
    const last = createEngine({ ...deciding, channels: {}, state: left, record });
    last.settle(() => true);
  }

  async function closeAll(): Promise<void> {
    await within(clock, lastDeliveryMs, engine.delivered());
    await Promise.all([...Object.values(channels), desktop].map((opened) => opened.close()));
  }

  return {
    receive: details?.hearing(engine.receive) ?? engine.receive,
    settle: engine.settle,
    async flush() {
      await within(clock, lastDeliveryMs, engine.delivered());
      await new Promise(setImmediate); // what was decided a moment ago is still on its way into the journal
      await Promise.all([journal.flush(), debug.flush()]);
    },
    stop({ last }) {
      stopped = true;
      const handedOver = engine.stop();
      if (last) for (const heard of [channels.voice, channels.sound]) if (heard) unattended("close", heard.close());
      const shown = Object.values(channels).map((channel) => [channel.name, channel.up()]);
      relay.release();
      unattended("close", closeAll());
      return { ...handedOver, up: { channels: Object.fromEntries(shown), away: push.stop() } };
    },
    keep: (state, ms, forgotten) => keepForAWhile({ clock, ms, forgotten, lastWords: () => lastWords(state) }),
    async notify(request) {
      const { sessionID, mode, message, title } = request;
      recording.called("beckon_notify_user", { mode, message, title }, sessionID);
      await settings.look();
      return notify(request, notifyDeps);
    },
    changedByModel(changes, sessionID) {
      for (const change of changes)
        journal.appendChange({ ...change, author: "model", sessionID }, { wall: clock.wall() });
      notices.tell(changedWords(changes));
    },
    overhear: guarded("recording", recording.overhear),
    status,
    reports: relay.calls,
    records: engine.records,
    problem: (what) => log(what instanceof Error ? (what.stack ?? what.message) : String(what)),
  };
}

/** Every decision goes into the journal, to whoever watches, and among the recent ones of a status. */
const recorder =
  ({ clock, journal }: Machine, relay: Lease, recent: Recent, details: Details | undefined) =>
  (decision: Decision): void => {
    const wall = wallOf(decision, clock);
    journal.append(decision, { wall });
    guarded("decision", () => relay.publishDecision(recent.add(decision, wall)))();
    guarded("details", () => details?.decided(decision))();
  };

/** In one sentence, however many there are. */
function changedWords(changes: readonly SettingChange[]): string {
  const words = (value: unknown) => (value === null ? "its default" : JSON.stringify(value));
  const named = changes.slice(0, mostNamed).map(({ key, value }) => `${key} to ${words(value)}`);
  const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : "";
  return `The model changed your settings: ${named.join(", ")}${more}. See: beckon why`;
}

const mostNamed = 3;

/** What was decided in silence gets its title, too: a person looks for it by that. */
function titled(decision: Decision, records: Records): Decision {
  const title = answering("title", undefined, () => subjectOf(records, decision.sessionID).title)();
  return title === undefined ? decision : { title, ...decision };
}

const wallOf = ({ at }: Decision, clock: Clock): number => clock.wall() - (clock.now() - at);

async function tellRelayProblem({ relay }: Lease, oneShot: boolean, log: Log): Promise<void> {
  const started = await relay;
  if (!started.ok && !oneShot) log(`relay: ${started.error.kind}, ${started.error.detail}; alerts go on without it`);
}
