import { existsSync } from "node:fs";
import type { Clock } from "../../shared/clock.ts";
import { edges, guarded, unattended } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import { within } from "../../shared/within.ts";
import { tellGrants } from "../config/grants.ts";
import { configPath, type Place, relayDirs } from "../config/location.ts";
import type { SettingChange } from "../config/save.ts";
import type { Config } from "../config/schema.ts";
import type { Decision } from "../core/decision.ts";
import type { HostEvent } from "../core/event.ts";
import { rootOf } from "../core/family.ts";
import { chooseLocale, wordingFor } from "../core/wording/locale.ts";
import { createAttachedTerminal } from "../delivery/attached-terminal.ts";
import { sessionBusPaths } from "../delivery/bus-address.ts";
import type { NoteEvent } from "../delivery/channel.ts";
import { channelDeadlinesMs } from "../delivery/channel-deadlines.ts";
import { createChannels } from "../delivery/channels.ts";
import { createChannel } from "../delivery/create-channel.ts";
import { createLazyDesktopState } from "../delivery/lazy-desktop-state.ts";
import { lazyDetached } from "../delivery/lazy-detached.ts";
import { createLazyPush } from "../delivery/lazy-push.ts";
import { type NotifyOutcome, type NotifyRequest, notify } from "../delivery/notify.ts";
import { hasDesktop } from "../delivery/platform.ts";
import { thisPlatform } from "../delivery/this-platform.ts";
import { chooseTerminals, isLastUsedBySsh } from "../focus/presence.ts";
import { type Lease, leaseRelay } from "../focus/shared-relay.ts";
import { findNativeAttention } from "../host-files/native-attention.ts";
import { createDecider } from "./decider.ts";
import { type EventLog, startEventLog } from "./event-log.ts";
import type { Beginning, Runtime } from "./instances.ts";
import { createRecentDecisions, type RecentDecisions } from "./recent-decisions.ts";
import { createRecording } from "./recording.ts";
import { createServices, type RuntimeServices } from "./services.ts";
import { type StatusReport, statusLines, statusOf } from "./status.ts";
import { createTerminalNotices } from "./terminal-notices.ts";
import { testAlert, testPush, testWords } from "./test-alert.ts";

export type RuntimeOptions = {
  line: "v1" | "v2";
  place: Place;
  pid: number;
  /** A one-shot process: it ends right after its session does, and nobody attaches to it. */
  oneShot: boolean;
};

/** What is on its way to a daemon when the process ends gets this long, ms; nothing on its way waits for nothing. */
const lastDeliveryMs = 1_000;

/** The real thing: this machine's disk, desktop and terminals around one decider. One per process. */
export function createRuntime(options: RuntimeOptions, { left, queries, results }: Beginning): Runtime {
  const { line, place, oneShot } = options;
  const { env } = place;
  const services = createServices(place, options.pid);
  const { clock, debug, journal, settings } = services;
  const log = debug.problem;
  const platform = thisPlatform();
  const recent = createRecentDecisions();
  let stopped = false;
  const events = startEventLog(services, line);
  const host = settings.host(events?.watched(queries.host) ?? queries.host);
  const notices = createTerminalNotices({
    clock,
    attached: () => relay.presence().keys(),
    toast: (terminalID, message, title) => relay.terminals.toast(terminalID, message, title),
  });
  const tellNotices = guarded("notices", notices.presenceChanged);
  let known: (() => Config) | undefined; // what was in force before the first look is nobody's change
  const config = (): Config => (known ?? services.config.current)();
  async function afterFirstLook(): Promise<void> {
    await settings.look();
    known = tellGrants(services.config.current, guarded("notices", notices.tell));
    if (left !== undefined && !stopped) decider.resume(); // it decides at once what waited
  }
  /** Whether an answer counts is a setting, too. By then another runtime may have taken over. */
  const onNote = (event: NoteEvent): void =>
    unattended(
      "note",
      settings.look().then(() => results({ kind: "note", event })),
    );

  const relay = leaseRelay(
    { clock, folders: relayDirs(place), onlyTCP: env.BECKON_TRANSPORT === "tcp", line, listen: !oneShot },
    {
      log,
      directories: queries.directories,
      maxTerminals: () => config().alerts.focus.maxTerminals,
      onPresence: () => {
        decider.dispatch({ kind: "presence" });
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
        mute: services.muteFor,
        test,
        async testPush(kind) {
          await settings.look();
          return testPush(kind, push, config(), deciding.wording(config()));
        },
      }),
    },
  );
  const watchPresence = guarded("recording", () => {
    recording.presenceChanged();
    events?.presenceChanged(relay.presence());
  });
  unattended("relay", tellRelayProblem(relay, oneShot, log));
  const recording = createRecording({
    clock,
    line,
    platform,
    directories: queries.directories,
    config,
    mutedUntil: services.mutedUntil,
    sessions: () => decider.state.sessions.values(),
    presence: relay.presence,
  });

  const moment = () => ({ now: clock.now(), wall: clock.wall() });

  /** Terminals that can do something for a session, the one that shows it first, then by last use. */
  function terminalsFor(sessionID: string): string[] {
    const rootID = rootOf(decider.state, sessionID);
    const shows = (shown: string): boolean => rootOf(decider.state, shown) === rootID;
    return chooseTerminals(relay.presence(), shows, moment()).map(({ id }) => id);
  }

  const terminal = createAttachedTerminal({
    candidates: ({ sessionID }) => terminalsFor(sessionID),
    ...relay.terminals,
  });
  const up = left?.up;
  const channels = {
    ...createChannels({
      ...{ platform, env, clock, log, onNote },
      ...(up === undefined ? {} : { adopted: up.channels }),
    }),
    terminal: createChannel({
      ...{ name: "terminal", outlets: [terminal], deadlineMs: channelDeadlinesMs.terminal, clock, log },
      adopted: up?.channels.terminal ?? [],
    }),
  };
  const seesDesktop = () => hasDesktop(platform, env, () => sessionBusPaths(env).some(existsSync));
  const isBehindSsh = () => isLastUsedBySsh(relay.presence(), moment());
  const push = createLazyPush({
    ...{ env, clock, log, onNote },
    async answersCount({ url, topic }) {
      await settings.look();
      return config().alerts.push.some(
        (target) => target.type === "ntfy" && target.actions && target.url === url && target.topic === topic,
      );
    },
    ...(up === undefined ? {} : { adopted: up.away }),
  });
  const desktop = createLazyDesktopState({ platform, env, clock });
  const record = recorder(services, relay, recent, events);

  const deciding = {
    ...{ clock: settings.clock, log, config, host, presence: relay.presence, mutedUntil: services.mutedUntil },
    wording: ({ locale }: Config) => wordingFor(chooseLocale(locale, env)),
    ...(oneShot ? { detach: lazyDetached(platform, env) } : {}),
  };
  const decider = createDecider({
    ...deciding,
    ...{ channels, push, record, results, isBehindSsh },
    hasDesktop: seesDesktop,
    screen: {
      isLocked: async () => (seesDesktop() ? desktop.isLocked() : undefined),
      doNotDisturb: async () => (seesDesktop() ? desktop.doNotDisturb() : undefined),
    },
    goTo: (sessionID) => {
      const [best] = terminalsFor(sessionID);
      if (best !== undefined) relay.terminals.navigate(best, sessionID);
    },
    ...(left === undefined ? {} : { state: left.state }),
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
      configProblem: services.config.problem(),
      mutedUntil: services.mutedUntil(),
      nativeAttention,
      sessions: decider.state.sessions.size,
      presence: relay.presence(),
      at: moment(),
      decisions: recent.all(),
    });
  }

  const tell = (request: NotifyRequest): Promise<NotifyOutcome> =>
    notify(request, {
      ...{ channels, isBehindSsh, platform, record, hasDesktop: seesDesktop, now: clock.now, guard: edges },
      terminal: config().alerts.terminal,
    });

  async function test(): Promise<string> {
    await settings.look();
    const { mode } = config().notifications;
    return mode === "none" ? 'notifications.mode is "none"' : testWords(await tell(testAlert(mode)));
  }

  async function closeAll(): Promise<void> {
    await within(clock, lastDeliveryMs, decider.delivered());
    await Promise.all([...Object.values(channels), desktop].map((opened) => opened.close()));
  }

  const receive = (event: HostEvent): void => decider.dispatch({ kind: "host", event });

  return {
    receive: events?.hearing(receive) ?? receive,
    dispatch: decider.dispatch,
    settle: (sessionIDs) => decider.dispatch({ kind: "ending", sessionIDs }),
    async flush() {
      await within(clock, lastDeliveryMs, decider.delivered());
      await new Promise(setImmediate); // what was decided a moment ago is still on its way into the journal
      await Promise.all([journal.flush(), debug.flush()]);
    },
    stop({ last }) {
      stopped = true;
      decider.rest();
      if (last) for (const heard of [channels.voice, channels.sound]) if (heard) unattended("close", heard.close());
      const shown = Object.values(channels).map((channel) => [channel.name, channel.up()]);
      relay.release();
      unattended("close", closeAll());
      return { state: decider.state, up: { channels: Object.fromEntries(shown), away: push.stop() } };
    },
    conclude(state) {
      const atOnce = (decision: Decision): void => journal.appendNow(decision, { wall: wallOf(decision, clock) });
      const last = createDecider({ ...deciding, channels: {}, state, record: atOnce });
      last.dispatch({ kind: "ending", sessionIDs: [...state.sessions.keys()], forGood: true });
      last.rest();
    },
    async notify(request) {
      const { sessionID, mode, message, title } = request;
      recording.called("beckon_notify_user", { mode, message, title }, sessionID);
      await settings.look();
      return tell(request);
    },
    changedByModel(changes, sessionID) {
      for (const change of changes)
        journal.appendChange({ ...change, author: "model", sessionID }, { wall: clock.wall() });
      notices.tell(changedWords(changes));
    },
    overhear: guarded("recording", recording.overhear),
    status,
    reports: relay.calls,
    state: decider.state,
    problem: (what) => log(what instanceof Error ? (what.stack ?? what.message) : String(what)),
  };
}

/** Every decision goes into the journal, to whoever watches, and among the recent ones of a status. */
const recorder =
  ({ clock, journal }: RuntimeServices, relay: Lease, recent: RecentDecisions, events: EventLog | undefined) =>
  (decision: Decision): void => {
    const wall = wallOf(decision, clock);
    journal.append(decision, { wall });
    guarded("decision", () => relay.publishDecision(recent.add(decision, wall)))();
    guarded("event log", () => events?.decided(decision))();
  };

/** In one sentence, however many there are. */
function changedWords(changes: readonly SettingChange[]): string {
  const words = (value: unknown) => (value === null ? "its default" : JSON.stringify(value));
  const named = changes.slice(0, mostNamed).map(({ key, value }) => `${key} to ${words(value)}`);
  const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : "";
  return `The model changed your settings: ${named.join(", ")}${more}. See: beckon why`;
}

const mostNamed = 3;

const wallOf = ({ at }: Decision, clock: Clock): number => clock.wall() - (clock.now() - at);

async function tellRelayProblem({ relay }: Lease, oneShot: boolean, log: Log): Promise<void> {
  const started = await relay;
  if (!started.ok && !oneShot) log(`relay: ${started.error.kind}, ${started.error.detail}; alerts go on without it`);
}
