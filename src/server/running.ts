import { systemClock } from "../shared/clock.ts";
import type { Decision } from "./alerts/decision.ts";
import { createMuteReader } from "./alerts/mute.ts";
import { notify } from "./alerts/notify.ts";
import { configFileSource } from "./config/file-source.ts";
import { configPath, mutePath, type Place, relayDirs, stateDir } from "./config/location.ts";
import { mute, muteFileSource, unmute } from "./config/mute-file.ts";
import { createConfigReader } from "./config/reader.ts";
import { createAttachedTerminal } from "./delivery/attached-terminal.ts";
import { channelDeadlinesMs } from "./delivery/channel-deadlines.ts";
import { createChannels } from "./delivery/channels.ts";
import { createChannel } from "./delivery/create-channel.ts";
import { handToDetached } from "./delivery/hand-to-detached.ts";
import { hasDesktop } from "./delivery/platform.ts";
import { thisPlatform } from "./delivery/this-platform.ts";
import { createEngine, type EngineState } from "./engine.ts";
import { chooseTerminals, idleFor, isLive } from "./focus/presence.ts";
import { leaseRelay } from "./focus/shared-relay.ts";
import { createDebugLog } from "./journal/debug-log.ts";
import { createJournal } from "./journal/journal.ts";
import { chooseLocale, wordingFor } from "./locales/locale.ts";
import type { Queries, Running } from "./members.ts";
import { type StatusReport, statusLines } from "./status.ts";
import { version } from "./version.ts";

export type RunningOptions = {
  line: "v1" | "v2";
  place: Place;
  pid: number;
  /** A one-shot process: it ends right after its session does, and nobody attaches to it. */
  oneShot: boolean;
};

/** Decisions kept for a status; the journal has them all. */
const recentDecisions = 20;

/** The real thing: this machine's disk, desktop and terminals around the engine. One per process. */
export function createRunning(options: RunningOptions, queries: Queries, state: EngineState | undefined): Running {
  const { line, place, pid, oneShot } = options;
  const { env } = place;
  const clock = systemClock;
  const platform = thisPlatform();
  const debug = createDebugLog({ stateDir: stateDir(place), details: env.BECKON_DEBUG === "1", pid, wall: clock.wall });
  const log = debug.problem;
  const config = createConfigReader({ read: configFileSource(configPath(place)), log });
  const muted = createMuteReader({ read: muteFileSource(mutePath(place)), log });
  const journal = createJournal({ stateDir: stateDir(place), log, pid });
  const recent: StatusReport["decisions"] = [];

  const relay = leaseRelay(
    { clock, folders: relayDirs(place), line, listen: !oneShot },
    {
      log,
      directories: queries.directories,
      maxTerminals: () => config.current().alerts.focus.maxTerminals,
      onPresence: () => engine.presenceChanged(),
      observer: () => ({
        status: () => ({ ...status(), lines: statusLines(status()) }),
        mute: async (ms) => {
          const done = ms === 0 ? await unmute(mutePath(place)) : await mute(mutePath(place), clock.wall() + ms);
          if (!done.ok) throw new Error(done.error.message);
          return ms === 0 ? "alerts are on" : `muted until ${new Date(clock.wall() + ms).toISOString()}`;
        },
        test: async () => {
          const text = {
            title: "opencode-beckon",
            message: "This is a test",
            spoken: "opencode-beckon: this is a test",
          };
          const outcome = await notify({ sessionID: "test", mode: "banner", ...text }, notifyDeps);
          if (outcome.kind === "unsupported") return `nothing here can notify (${outcome.platform})`;
          return outcome.attempts
            .map(({ channel, delivery }) => `${channel}: ${delivery.ok ? delivery.certainty : delivery.reason}`)
            .join(", ");
        },
      }),
    },
  );

  relay.relay
    .then((started) => {
      if (!started.ok && !oneShot)
        log(`relay: ${started.error.kind}, ${started.error.detail}; alerts go on without it`);
    })
    .catch((bug) => log(`relay: ${String(bug)}`));

  const channels = {
    ...createChannels({ platform, env, clock, log, onNote: (event) => engine.acted(event) }),
    terminal: createChannel({
      name: "terminal",
      outlets: [
        createAttachedTerminal({
          candidates: ({ sessionID }) => terminalsFor(sessionID),
          ...relay.terminals,
        }),
      ],
      deadlineMs: channelDeadlinesMs.terminal,
      clock,
      log,
    }),
  };

  /** Terminals that can do something for a session, the one that shows it first, then by last use. */
  const terminalsFor = (sessionID: string): string[] => {
    const rootID = engine.records.rootOf(sessionID);
    return chooseTerminals(relay.presence(), (shown) => engine.records.rootOf(shown) === rootID, moment()).map(
      ({ id }) => id,
    );
  };

  const moment = () => ({ now: clock.now(), wall: clock.wall() });
  const wording = () => wordingFor(chooseLocale(config.current().locale, env));

  function record(decision: Decision): void {
    const wall = clock.wall() - (clock.now() - decision.at);
    journal.append(decision, { wall });
    const { at: _, message: __, ...told } = decision;
    recent.push({ ...told, time: new Date(wall).toISOString() });
    if (recent.length > recentDecisions) recent.shift();
    relay.publishDecision(recent.at(-1));
  }

  const notifyDeps = { channels, platform, now: clock.now, record };

  const engine = createEngine({
    clock,
    log,
    startedAt: clock.wall(),
    config: config.current,
    wording,
    presence: relay.presence,
    mutedUntil: muted.until,
    channels,
    hasDesktop: () => hasDesktop(platform, env),
    goTo: (sessionID) => {
      const [best] = terminalsFor(sessionID);
      if (best !== undefined) relay.terminals.navigate(best, sessionID);
    },
    ...(queries.host.answer === undefined ? {} : { answer: queries.host.answer }),
    ...(oneShot ? { handOver: (note) => handToDetached(note, { platform, env }) } : {}),
    host: queries.host,
    record,
    ...(state === undefined ? {} : { state }),
  });
  engine.resume();

  function status(): StatusReport {
    const problem = config.problem();
    const until = muted.until();
    const at = moment();
    return {
      version,
      line,
      pid,
      configPath: configPath(place),
      ...(problem === undefined ? {} : { configProblem: problem }),
      ...(until === undefined || until < at.wall ? {} : { mutedUntil: new Date(until).toISOString() }),
      sessions: engine.records.size(),
      terminals: [...relay.presence().values()]
        .filter((terminal) => isLive(terminal, at)) // one that hangs silences nothing any more
        .map((terminal) => ({
          name: terminal.name,
          focus: terminal.report.focus,
          view: terminal.report.view.type,
          ...(terminal.report.view.type === "session" ? { sessionID: terminal.report.view.sessionID } : {}),
          idleMs: Math.round(idleFor(terminal, at)),
        })),
      decisions: [...recent],
    };
  }

  return {
    receive: engine.receive,
    settle: engine.settle,
    flush: async () => {
      await new Promise(setImmediate); // what was decided a moment ago is still on its way into the journal
      await Promise.all([journal.flush(), debug.flush()]);
    },
    stop() {
      const handedOver = engine.stop();
      relay.release();
      for (const channel of Object.values(channels)) channel.close().catch((bug) => log(`close: ${String(bug)}`));
      return handedOver;
    },
    notify: (request) => notify(request, notifyDeps),
    status,
    reports: relay.calls,
    records: engine.records,
    isBusy: () => [...engine.records.all()].some(({ turn }) => turn.phase === "working"),
    problem: (what) => log(what instanceof Error ? (what.stack ?? what.message) : String(what)),
  };
}
