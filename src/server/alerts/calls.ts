import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import { within } from "../../shared/within.ts";
import type { Config } from "../config/schema.ts";
import type { Attendance, Presence } from "../focus/presence.ts";
import type { Call } from "./call.ts";
import { createCallList } from "./call-list.ts";
import type { AlertKind, Decision, DeliveredReason, SilentReason, WithdrawnReason } from "./decision.ts";
import type { Handed } from "./deliver.ts";
import { type Gate, gate, type Plan, suppresses } from "./gate.ts";
import { createHeldBack } from "./held-back.ts";
import { createLater, type PushTarget } from "./later.ts";
import { createLookout } from "./lookout.ts";
import { isQuiet } from "./quiet-hours.ts";
import type { Subject } from "./subject.ts";
import type { Alert, OpenRequest } from "./words.ts";

export type CallsDeps = {
  clock: Clock;
  log: Log;
  config(): Config;
  presence(): Presence;
  /** Epoch ms until which alerts are muted. */
  mutedUntil(): number | undefined;
  timeZone?: string;
  /** Behind a locked screen nobody looks, whatever a terminal says. Undefined: not known. */
  isLocked?(): Promise<boolean | undefined>;
  subject(sessionID: string): Subject;
  /** The root a session on somebody's screen belongs to. */
  rootOf(sessionID: string): string;
  /** Never rejects. */
  deliver(request: { call: Call; subject: Subject; plan: Plan; overdue: boolean }): Promise<Handed>;
  push(request: { call: Call; subject: Subject; target: PushTarget }): Promise<Handed>;
  /** Only the banner's text changes. */
  refresh(request: { call: Call; subject: Subject; requests: readonly OpenRequest[] }): void;
  takeBack(sessionID: string): void;
  record(decision: Decision): void;
  /** Which banners are up has changed. */
  changed?(): void;
  seed?: readonly Call[];
};

/** How long a decision waits for the word on the screen's lock, ms. */
const lockMs = 1_000;
/** From "this deserves an alert" to the person: gate, delivery, and everything that follows a delivery. */
export function createCalls(deps: CallsDeps) {
  const { clock, config, record } = deps;
  const calls = createCallList(deps.seed);
  const lookout = createLookout(deps);
  const heldBack = createHeldBack({ clock, config, lookout, tell: tellAfterAll, drop });
  const later = createLater({ clock, config, remind, push });
  let serial = calls.highestSerial();

  const isMuted = (): boolean => (deps.mutedUntil() ?? 0) > clock.wall();

  function judge(call: Call, title: string, attended: Attendance | undefined): Gate {
    const { alerts } = config();
    const wall = clock.wall();
    const muted = isMuted();
    const quiet = isQuiet(alerts.quietHours, wall, deps.timeZone);
    return gate({ kind: call.alert.kind, title, muted, quiet, attended }, alerts);
  }

  /** `seen`: the host itself says that somebody looked. `reason`: why it leaves when nobody looks. */
  function open(alert: Alert, sessionID: string, reason: DeliveredReason, requestID?: string, seen = false): void {
    serial += 1;
    const call: Call = {
      id: `${sessionID}#${serial}`,
      serial,
      alert,
      sessionID,
      ...(requestID === undefined ? {} : { requestID }),
      stage: "deciding",
      reminders: 0,
      since: clock.now(),
    };
    if (alert.kind === "pause") calls.put(call);
    decide(call, reason, seen ? { by: "host", until: clock.now() } : undefined);
  }

  /** `seen`: somebody looked, whatever the terminals say. */
  function decide(call: Call, reason: DeliveredReason, seen?: Attendance): void {
    const attended = tellUnlessAttended(call, reason, seen ?? lookout.attended(call));
    if (attended === undefined) return;
    if (deps.isLocked === undefined) return holdBack(call, attended.by);
    const asked = async () => deps.isLocked?.();
    within(clock, lockMs, asked())
      .then((locked) => {
        if (call.alert.kind === "pause" && !calls.has(call.id)) return; // answered meanwhile
        const current = calls.get(call.id) ?? call;
        const still = tellUnlessAttended(
          current,
          reason,
          locked === true ? undefined : (seen ?? lookout.attended(call)),
        );
        if (still !== undefined) holdBack(current, still.by);
      })
      .catch((bug) => deps.log(`screen lock: ${String(bug)}`));
  }

  /** Decided, unless somebody looks: that is for the caller. */
  function tellUnlessAttended(
    call: Call,
    reason: DeliveredReason,
    looks: Attendance | undefined,
  ): Attendance | undefined {
    const subject = deps.subject(call.sessionID);
    const decision = judge(call, subject.title, looks);
    if (decision.open) hand(call, subject, decision.plan, decision.attended === undefined ? reason : "attended");
    else if (call.stage === "shown")
      return undefined; // a reminder that may not leave; the banner stays
    else if (decision.why === "attended") return decision.attended;
    else dropSilently(call, reason, decision.why);
    return undefined;
  }

  function dropSilently(call: Call, reason: DeliveredReason, why: SilentReason): void {
    drop(call);
    if (reason !== "unseen") record({ ...line(call), outcome: "silent", reason: why, channels: [] }); // it has its line
  }

  /** Held back, and now there is a reason to tell it. A terminal that says focused for hours has not seen an unseen end. */
  function tellAfterAll(call: Call, reason: "left" | "unseen"): void {
    if (reason === "left") return decide(calls.get(call.id) ?? call, reason);
    tellUnlessAttended({ ...call, unseen: true }, reason, undefined);
  }

  function holdBack(call: Call, by: string): void {
    const isPause = call.alert.kind === "pause";
    record({ ...line(call), outcome: isPause ? "deferred" : "suppressed", reason: "attended", channels: [], by });
    const { unseenSeconds } = config().alerts.focus;
    if (!isPause && unseenSeconds === 0) return;
    const held: Call = { ...call, stage: "watched" };
    calls.put(held);
    if (isPause) heldBack.watch(held);
    else heldBack.waitForLife(held, unseenSeconds * 1_000);
  }

  function hand(call: Call, subject: Subject, plan: Plan, reason: DeliveredReason): void {
    const at = clock.now();
    const shown: Call = { ...call, stage: "shown", since: at };
    calls.put(shown); // its requests are among those its banner names and answers
    shown.handed = deps.deliver({ call: shown, subject, plan, overdue: reason === "overdue" });
    const surplus = calls.surplus();
    if (surplus !== undefined) drop(surplus);
    heldBack.clear(call.id);
    shown.handed
      .then((handed) => settled(shown, handed, at, reason))
      .catch((bug) => deps.log(`delivery: ${String(bug)}`));
    later.remindOf(shown);
    if (reason !== "overdue") later.pushAbout(shown);
  }

  function settled(call: Call, handed: Handed, at: number, reason: DeliveredReason): void {
    call.shownAs = handed;
    const { title, message, channels, failure = "channel-error" } = handed;
    const told = { ...line(call), at, channels, title, message };
    if (channels.length > 0) record({ ...told, outcome: "delivered", reason });
    else if (failure !== "dropped") record({ ...told, outcome: "failed", reason: failure });
    else record({ ...told, outcome: "silent", reason: call.alert.kind === "pause" ? "auto-answered" : "superseded" });
    deps.changed?.();
  }

  function remind(id: string): void {
    const call = calls.get(id);
    if (call === undefined || lookout.attended(call) !== undefined) return;
    decide({ ...call, reminders: call.reminders + 1 }, "overdue");
  }

  function push(id: string, target: PushTarget): void {
    const call = calls.get(id);
    if (call === undefined || isMuted() || lookout.attended(call) !== undefined) return;
    const at = clock.now();
    deps
      .push({ call, subject: deps.subject(call.sessionID), target })
      .then(({ title, message, channels, failure }) => {
        const told = { ...line(call), at, channels, title, message };
        if (channels.length > 0) record({ ...told, outcome: "delivered", reason: "overdue" });
        else if (failure !== "dropped") record({ ...told, outcome: "failed", reason: failure ?? "channel-error" });
      })
      .catch((bug) => deps.log(`push: ${String(bug)}`));
  }

  function presenceChanged(): void {
    for (const call of calls.all()) {
      if (call.stage === "watched" && call.alert.kind === "pause") heldBack.watch(call);
      else if (call.stage === "shown" && isSeen(call)) withdraw(call, "seen");
    }
  }

  const isSeen = (call: Call): boolean =>
    suppresses(call.alert.kind, config().alerts) &&
    (call.unseen === true ? lookout.lifeSince(call) : lookout.attended(call) !== undefined);

  /** Taken back at once; the line follows the one of its delivery, and only where there was something to see. */
  function withdraw(call: Call, reason: WithdrawnReason): void {
    drop(call);
    if (call.stage === "deciding") record({ ...line(call), outcome: "silent", reason: "auto-answered", channels: [] });
    if (call.stage !== "shown" || call.handed === undefined) return;
    const at = clock.now();
    if (calls.newestShown(call.sessionID) === undefined) deps.takeBack(call.sessionID);
    call.handed
      .then(({ channels, title, message }) => {
        const visible = channels.some((channel) => channel !== "voice" && channel !== "sound");
        const by = call.answeredBy === undefined ? {} : { by: call.answeredBy };
        if (visible && call.gone !== true)
          record({ ...line(call), at, outcome: "withdrawn", reason, channels, title, message, ...by });
      })
      .catch((bug) => deps.log(`withdrawal: ${String(bug)}`));
    deps.changed?.();
  }

  function drop(call: Call): void {
    calls.remove(call.id);
    heldBack.clear(call.id);
    later.clear(call.id);
  }

  const line = ({ alert, sessionID, requestID }: Call) => ({
    at: clock.now(),
    alert: alert.kind,
    sessionID,
    ...(requestID === undefined ? {} : { requestID }),
  });

  /** One request of a told pause is open no more. */
  function closed(sessionID: string, requestID: string, why: WithdrawnReason = "answered"): void {
    const call = calls.about(sessionID, requestID);
    if (call === undefined || call.alert.kind !== "pause") return;
    const requests = call.alert.requests.filter((open) => open.requestID !== requestID);
    if (requests.length === 0) withdraw(call, why);
    else calls.put({ ...call, ...nowAbout(call, requests) });
    showRest(sessionID);
  }

  /** A line that is still to come names the oldest request still open; one that was told keeps its name. */
  const nowAbout = (call: Call, requests: readonly OpenRequest[]): Partial<Call> => ({
    alert: { kind: "pause", requests },
    ...(call.stage === "shown" || requests[0] === undefined ? {} : { requestID: requests[0].requestID }),
  });

  /** The banner names what is still open. */
  function showRest(sessionID: string): void {
    const call = calls.newestShown(sessionID);
    if (call === undefined || call.alert.kind !== "pause") return;
    const requests = calls.openRequests(sessionID);
    call.handed
      ?.then(({ channels }) => {
        if (channels.includes("banner") && calls.has(call.id))
          deps.refresh({ call, subject: deps.subject(sessionID), requests });
      })
      .catch((bug) => deps.log(`refresh: ${String(bug)}`));
  }

  const withdrawEnds = (sessionID: string, reason: WithdrawnReason): void => {
    for (const call of calls.endsOf(sessionID)) withdraw(call, reason);
  };

  return {
    open,
    closed,
    openRequests: calls.openRequests,
    finished: calls.finished,
    presenceChanged,
    worksAgain: (sessionID: string) => withdrawEnds(sessionID, "resumed"),
    seen: (sessionID: string) => withdrawEnds(sessionID, "seen"),
    summarised: (sessionID: string) => withdrawEnds(sessionID, "summarised"),
    /** The one permission a session's banner asks about, still open; its answer comes from that banner. */
    answering(sessionID: string, button: string): string | undefined {
      const call = calls.newestShown(sessionID);
      const [request, ...more] = calls.openRequests(sessionID);
      if (call === undefined || request?.about !== "permission" || more.length > 0) return undefined;
      call.answeredBy = `banner: ${button}`;
      return request.requestID;
    },
    /** The person closed the banner of an end: they know. One that went by itself may still be pushed. */
    bannerClosed(sessionID: string, byPerson: boolean): void {
      for (const call of calls.endsOf(sessionID)) {
        if (call.stage !== "shown") continue;
        if (byPerson) drop(call);
        else call.gone = true;
      }
    },
    /** The session is gone: its banners stay until the person closes them, nothing more follows. */
    forgotten(sessionID: string): void {
      for (const call of calls.ofSession(sessionID)) drop(call);
    },
    silent(alert: AlertKind, sessionID: string, reason: SilentReason, requestID?: string): void {
      const named = requestID === undefined ? {} : { requestID };
      record({ at: clock.now(), alert, sessionID, ...named, outcome: "silent", reason, channels: [] });
    },
    deferred(sessionID: string, reason: "children-running" | "more-queued"): void {
      record({ at: clock.now(), alert: "done", sessionID, outcome: "deferred", reason, channels: [] });
    },
    all: (): readonly Call[] => calls.all(),
    stop(): void {
      heldBack.stop();
      later.stop();
    },
    resume(): void {
      for (const call of calls.all()) {
        if (call.stage === "deciding") decide(call, "unattended");
        if (call.stage === "watched" && call.alert.kind === "pause") heldBack.watch(call);
        if (call.stage === "shown") later.remindOf(call);
      }
    },
  };
}
