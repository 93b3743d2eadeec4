import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Config } from "../config/schema.ts";
import { attendance, type Looking, type Presence } from "../focus/presence.ts";
import { createTimers } from "../session/timers.ts";
import type { AlertKind, Decision, DeliveredReason, SilentReason, WithdrawnReason } from "./decision.ts";
import type { Handed } from "./deliver.ts";
import { type Gate, gate, type Plan, suppresses } from "./gate.ts";
import { isQuiet } from "./quiet-hours.ts";
import type { Subject } from "./subject.ts";
import type { Alert, OpenRequest } from "./words.ts";

/**
 * One alert through its life. watched: held back because somebody looks at it. shown: handed to channels.
 * Plain data but for `handed`, which a take-over builds again from `shownAs`.
 */
export type Call = {
  id: string;
  alert: Alert;
  sessionID: string;
  /** The request named in the decision lines. */
  requestID?: string;
  stage: "watched" | "shown";
  reminders: number;
  /** Monotonic ms it was handed to channels or held back. */
  since: number;
  handed?: Promise<Handed>;
  /** What `handed` came to. */
  shownAs?: Handed;
};

export type CallsDeps = {
  clock: Clock;
  log: Log;
  config(): Config;
  presence(): Presence;
  /** Epoch ms until which alerts are muted. */
  mutedUntil(): number | undefined;
  timeZone?: string;
  subject(sessionID: string): Subject;
  /** The root a session on somebody's screen belongs to. */
  rootOf(sessionID: string): string;
  /** Never rejects. `replaces` = only the banner's text changes. */
  deliver(request: { call: Call; subject: Subject; plan: Plan; overdue: boolean }): Promise<Handed>;
  refresh(request: { call: Call; subject: Subject; requests: readonly OpenRequest[] }): void;
  takeBack(sessionID: string): void;
  record(decision: Decision): void;
  seed?: readonly Call[];
};

export type Calls = ReturnType<typeof createCalls>;

/** From "this deserves an alert" to the person: gate, delivery, and everything that follows a delivery. */
export function createCalls(deps: CallsDeps) {
  const { clock, record } = deps;
  const calls = new Map<string, Call>(deps.seed?.map((call) => [call.id, revive(call)]));
  const watching = createTimers(clock);
  const leaving = createTimers(clock);
  const reminding = createTimers(clock);
  let serial = calls.size;

  const looking = (call: Call): Looking => {
    const rootID = deps.rootOf(call.sessionID);
    const family = call.alert.kind === "pause";
    return {
      idleSeconds: deps.config().alerts.focus.idleSeconds,
      matches: (sessionID, viewRootID) =>
        sessionID === call.sessionID || (family && (viewRootID === rootID || deps.rootOf(sessionID) === rootID)),
    };
  };

  const attended = (call: Call) => attendance(deps.presence(), looking(call), { now: clock.now(), wall: clock.wall() });

  function judge(call: Call, title: string, seen: boolean): Gate {
    const { alerts } = deps.config();
    const wall = clock.wall();
    return gate(
      {
        kind: call.alert.kind,
        title,
        muted: (deps.mutedUntil() ?? 0) > wall,
        quiet: isQuiet(alerts.quietHours, wall, deps.timeZone),
        attended: seen ? { by: "host", until: clock.now() } : attended(call),
      },
      alerts,
    );
  }

  /** `seen`: the host itself says that somebody looked. `reason`: why it leaves when nobody looks. */
  function open(alert: Alert, sessionID: string, reason: DeliveredReason, requestID?: string, seen = false): void {
    serial += 1;
    const call: Call = {
      id: `${sessionID}#${serial}`,
      alert,
      sessionID,
      ...(requestID === undefined ? {} : { requestID }),
      stage: "watched",
      reminders: 0,
      since: clock.now(),
    };
    if (alert.kind === "pause") calls.set(call.id, call);
    decide(call, reason, seen);
  }

  function decide(call: Call, reason: DeliveredReason, seen = false): void {
    const subject = deps.subject(call.sessionID);
    const decision = judge(call, subject.title, seen);
    if (decision.open) return hand(call, subject, decision.plan, decision.attended === undefined ? reason : "attended");
    if (call.stage === "shown") return; // a reminder that may not leave; the banner stays
    if (decision.why !== "attended") {
      drop(call);
      return tell(call, "silent", decision.why);
    }
    holdBack(call, decision.attended.by);
  }

  function holdBack(call: Call, by: string): void {
    const isPause = call.alert.kind === "pause";
    record({ ...line(call), outcome: isPause ? "deferred" : "suppressed", reason: "attended", channels: [], by });
    const { unseenSeconds } = deps.config().alerts.focus;
    if (!isPause && unseenSeconds === 0) return;
    calls.set(call.id, call);
    if (isPause) watch(call);
    else watching.set(call.id, unseenSeconds * 1_000, () => decideUnseen(call));
  }

  /** Held back, and no sign of life since: it is told once. */
  function decideUnseen(call: Call): void {
    calls.delete(call.id);
    const lastLife = lifeSince(call);
    if (!lastLife) decide({ ...call, id: `${call.id}u` }, "unseen");
  }

  const lifeSince = (call: Call): boolean => {
    const { matches } = looking(call);
    const waited = clock.now() - call.since;
    return [...deps.presence().values()].some(
      ({ report }) =>
        report.view.type === "session" && matches(report.view.sessionID, report.view.rootID) && report.idleMs < waited,
    );
  };

  function hand(call: Call, subject: Subject, plan: Plan, reason: DeliveredReason): void {
    const at = clock.now();
    const overdue = reason === "overdue";
    const shown: Call = { ...call, stage: "shown", since: at };
    shown.handed = deps.deliver({ call: shown, subject, plan, overdue });
    calls.set(call.id, shown);
    watching.clear(call.id);
    leaving.clear(call.id);
    shown.handed
      .then((handed) => settled(shown, handed, at, reason))
      .catch((bug) => deps.log(`delivery: ${String(bug)}`));
    if (call.alert.kind === "pause") remindLater(shown);
  }

  function settled(call: Call, handed: Handed, at: number, reason: DeliveredReason): void {
    call.shownAs = handed;
    const { title, message, channels } = handed;
    if (channels.length > 0)
      return record({ ...line(call), at, outcome: "delivered", reason, channels, title, message });
    record({
      ...line(call),
      at,
      outcome: "failed",
      reason: handed.failure ?? "channel-error",
      channels: [],
      title,
      message,
    });
    if (call.alert.kind !== "pause") calls.delete(call.id);
  }

  function remindLater(call: Call): void {
    const { afterSeconds, times } = deps.config().alerts.reminder;
    if (afterSeconds === 0 || call.reminders >= times) return;
    reminding.set(call.id, afterSeconds * 1_000, () => {
      const open = calls.get(call.id);
      if (open === undefined || attended(open) !== undefined) return;
      decide({ ...open, reminders: open.reminders + 1 }, "overdue");
    });
  }

  /** A pause somebody looks at: told when nobody does any more and it still waits. */
  function watch(call: Call): void {
    const now = attended(call);
    if (now === undefined) return leave(call);
    leaving.clear(call.id);
    if (Number.isFinite(now.until)) watching.set(call.id, Math.max(1, now.until - clock.now()), () => watch(call));
  }

  function leave(call: Call): void {
    watching.clear(call.id);
    if (leaving.has(call.id)) return;
    leaving.set(call.id, deps.config().alerts.focus.leaveSeconds * 1_000, () => {
      if (attended(call) !== undefined) return watch(call);
      decide(call, "left");
    });
  }

  function presenceChanged(): void {
    for (const call of [...calls.values()]) {
      if (call.stage === "watched" && call.alert.kind === "pause") watch(call);
      else if (
        call.stage === "shown" &&
        suppresses(call.alert.kind, deps.config().alerts) &&
        attended(call) !== undefined
      )
        withdraw(call, "seen");
    }
  }

  /** Taken back only after it was handed over, and only where there is something to take back. */
  function withdraw(call: Call, reason: WithdrawnReason): void {
    drop(call);
    if (call.stage !== "shown" || call.handed === undefined) return;
    const at = clock.now();
    if (newestShown(call.sessionID) === undefined) deps.takeBack(call.sessionID);
    call.handed
      .then(({ channels, title, message }) => {
        const visible = channels.some((channel) => channel !== "voice" && channel !== "sound");
        if (visible) record({ ...line(call), at, outcome: "withdrawn", reason, channels, title, message });
      })
      .catch((bug) => deps.log(`withdrawal: ${String(bug)}`));
  }

  function drop(call: Call): void {
    calls.delete(call.id);
    for (const timers of [watching, leaving, reminding]) timers.clear(call.id);
  }

  const newestShown = (sessionID: string): Call | undefined =>
    [...calls.values()].filter((call) => call.sessionID === sessionID && call.stage === "shown").at(-1);

  const ofSession = (sessionID: string): Call[] => [...calls.values()].filter((call) => call.sessionID === sessionID);

  const line = (call: Call) => ({
    at: clock.now(),
    alert: call.alert.kind,
    sessionID: call.sessionID,
    ...(call.requestID === undefined ? {} : { requestID: call.requestID }),
  });

  function tell(call: Call, outcome: "silent", reason: SilentReason): void {
    record({ ...line(call), outcome, reason, channels: [] });
  }

  /** One request of a told pause is open no more. */
  function closed(sessionID: string, requestID: string): void {
    const call = ofSession(sessionID).find(
      ({ alert }) => alert.kind === "pause" && alert.requests.some((open) => open.requestID === requestID),
    );
    if (call === undefined || call.alert.kind !== "pause") return;
    const requests = call.alert.requests.filter((open) => open.requestID !== requestID);
    if (requests.length === 0) withdraw(call, "answered");
    else calls.set(call.id, { ...call, alert: { kind: "pause", requests } });
    showRest(sessionID);
  }

  /** The banner names what is still open. */
  function showRest(sessionID: string): void {
    const call = newestShown(sessionID);
    if (call === undefined || call.alert.kind !== "pause") return;
    const requests = openRequests(sessionID);
    call.handed
      ?.then(({ channels }) => {
        if (channels.includes("banner") && calls.has(call.id))
          deps.refresh({ call, subject: deps.subject(sessionID), requests });
      })
      .catch((bug) => deps.log(`refresh: ${String(bug)}`));
  }

  const openRequests = (sessionID: string): OpenRequest[] =>
    ofSession(sessionID).flatMap(({ alert, stage }) =>
      alert.kind === "pause" && stage === "shown" ? alert.requests : [],
    );

  const withdrawEnds = (sessionID: string, reason: WithdrawnReason): void => {
    for (const call of ofSession(sessionID)) if (call.alert.kind !== "pause") withdraw(call, reason);
  };

  return {
    open,
    closed,
    openRequests,
    presenceChanged,
    worksAgain: (sessionID: string) => withdrawEnds(sessionID, "resumed"),
    seen: (sessionID: string) => withdrawEnds(sessionID, "seen"),
    /** The session is gone: its banners stay until the person closes them, nothing more follows. */
    forgotten: (sessionID: string) => {
      for (const call of ofSession(sessionID)) drop(call);
    },
    silent(alert: AlertKind, sessionID: string, reason: SilentReason, requestID?: string): void {
      record({
        at: clock.now(),
        alert,
        sessionID,
        ...(requestID === undefined ? {} : { requestID }),
        outcome: "silent",
        reason,
        channels: [],
      });
    },
    deferred(sessionID: string, reason: "children-running" | "more-queued"): void {
      record({ at: clock.now(), alert: "done", sessionID, outcome: "deferred", reason, channels: [] });
    },
    all: (): readonly Call[] => [...calls.values()],
    stop(): void {
      for (const timers of [watching, leaving, reminding]) timers.stop();
    },
    resume(): void {
      for (const call of calls.values()) if (call.stage === "watched" && call.alert.kind === "pause") watch(call);
    },
  };
}

const revive = ({ handed: _, ...call }: Call): Call =>
  call.shownAs === undefined ? call : { ...call, handed: Promise.resolve(call.shownAs) };
