import { createGuard } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import type { Attendance, Presence } from "../focus/presence.ts";
import { createAnswering, type GivenAnswer } from "./answering.ts";
import type { Call } from "./call.ts";
import { brokenLine, lineOf } from "./call-lines.ts";
import { createCallList } from "./call-list.ts";
import type { AlertKind, DeliveredReason, SilentReason } from "./decision.ts";
import { type Gate, gate, type Plan } from "./gate.ts";
import { createHandingOver, type HandingOverDeps } from "./handing-over.ts";
import { createHeldBack } from "./held-back.ts";
import { createLookout } from "./lookout.ts";
import { isQuiet } from "./quiet-hours.ts";
import { isLocked } from "./screen.ts";
import { createTakingBack, type TakingBackDeps } from "./taking-back.ts";
import { createUnfinished } from "./unfinished.ts";
import type { Alert } from "./words.ts";

export type CallsDeps = {
  log: Log;
  presence(): Presence;
  /** Epoch ms until which alerts are muted. */
  mutedUntil(): number | undefined;
  timeZone?: string;
  /** The root a session on somebody's screen belongs to. */
  rootOf(sessionID: string): string;
  seed?: readonly Call[];
} & Pick<HandingOverDeps, "clock" | "config" | "screen" | "subject" | "deliver" | "push" | "record" | "changed"> &
  Pick<TakingBackDeps, "refresh" | "takeBack">;

export type Calls = ReturnType<typeof createCalls>;

/** From "this deserves an alert" to the person: gate, delivery, and everything that follows a delivery. */
export function createCalls(deps: CallsDeps) {
  const { clock, config, record, screen } = deps;
  const calls = createCallList(deps.seed);
  const lookout = createLookout(deps);
  const guard = createGuard(deps.log);
  const unfinished = createUnfinished(guard);
  const heldBack = createHeldBack({ clock, config, lookout, tell: tellAfterAll, drop, enter });
  const handingOver = createHandingOver({ ...deps, calls, lookout, unfinished, isMuted, decide, enter, guard });
  const takingBack = createTakingBack({ ...deps, calls, unfinished, drop });
  const answer = createAnswering({ clock, calls, log: deps.log });
  let serial = calls.highestSerial();
  let stopped = false;

  /** Every way into one alert's life. A bug met on it ends what was being decided about that alert, and nothing else. */
  function enter(call: Call, run: () => void): void {
    try {
      run();
    } catch (bug) {
      guard.report("alert", bug);
      if (calls.get(call.id)?.stage !== "shown") drop(call);
      record(brokenLine(call, clock.now()));
    }
  }

  function isMuted(): boolean {
    return (deps.mutedUntil() ?? 0) > clock.wall();
  }

  function judge(call: Call, name: string, attended: Attendance | undefined): Gate {
    const { alerts } = config();
    const quiet = isQuiet(alerts.quietHours, clock.wall(), deps.timeZone);
    return gate({ kind: call.alert.kind, name, muted: isMuted(), quiet, attended }, alerts);
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
      pushed: new Set(),
      since: clock.now(),
    };
    calls.put(call);
    enter(call, () => decide(call, reason, seen ? { by: "host", until: clock.now() } : undefined));
  }

  /** `seen`: somebody looked, whatever the terminals say. Behind a locked screen nobody does. */
  function decide(call: Call, reason: DeliveredReason, seen?: Attendance): void {
    const looks = seen ?? lookout.attended(call);
    if (looks === undefined || looks.remote || screen === undefined) return tellUnlessAttended(call, reason, looks);
    const asked = isLocked(screen, clock).then((locked) => {
      const known = calls.get(call.id);
      if (known === undefined || stopped) return; // answered or overtaken meanwhile; or another engine decides
      const current = { ...known, reminders: call.reminders };
      enter(current, () => {
        if (locked) tellUnlessAttended({ ...current, unseen: true }, reason, undefined);
        else tellUnlessAttended(current, reason, seen ?? lookout.attended(current));
      });
    });
    unfinished.add("screen lock", asked);
  }

  function tellUnlessAttended(call: Call, reason: DeliveredReason, looks: Attendance | undefined): void {
    const decision = judge(call, deps.subject(call.sessionID).name, looks);
    if (decision.open) hand(call, decision.plan, decision.attended === undefined ? reason : "attended");
    else if (call.stage === "shown")
      return; // a reminder that may not leave; the banner stays
    else if (decision.why === "attended") holdBack(call, decision.attended.by);
    else dropSilently(call, reason, decision.why);
  }

  function dropSilently(call: Call, reason: DeliveredReason, why: SilentReason): void {
    drop(call);
    if (reason === "unseen") return; // it has its line
    record({ ...lineOf(call, clock.now()), outcome: "silent", reason: why, channels: [] });
  }

  /** Held back, and now there is a reason to tell it. A terminal that says focused for hours has not seen an unseen end. */
  function tellAfterAll(call: Call, reason: "left" | "unseen"): void {
    const current = calls.get(call.id) ?? call;
    if (reason === "left" && current.known) handingOver.followUp(current);
    else if (reason === "left") decide(current, reason);
    else tellUnlessAttended({ ...call, unseen: true }, reason, undefined);
  }

  function holdBack(call: Call, by: string): void {
    const isPause = call.alert.kind === "pause";
    const outcome = isPause ? "deferred" : "suppressed";
    const mayStillCome = isPause || config().alerts.focus.unseenSeconds > 0;
    record({ ...lineOf(call, clock.now()), outcome, reason: "attended", channels: [], by });
    if (!mayStillCome) return drop(call);
    watch({ ...call, stage: "watched" });
  }

  /** What is still due waits: of a pause until they leave, of an end for a sign of life. */
  function watch(call: Call): void {
    calls.put(call);
    if (call.alert.kind === "pause") heldBack.watch(call);
    else heldBack.waitForLife(call, config().alerts.focus.unseenSeconds * 1_000);
  }

  function hand(call: Call, plan: Plan, reason: DeliveredReason): void {
    const onlyHeard = reason === "attended" && call.alert.kind === "pause" && config().alerts.pause.mode === "both";
    const shown = handingOver.hand(call, { ...plan, voice: plan.voice && call.heard !== true }, reason);
    if (onlyHeard) return setAside({ ...shown, heard: true });
    const surplus = calls.surplus();
    if (surplus !== undefined) drop(surplus);
    heldBack.clear(call.id);
  }

  function presenceChanged(): void {
    for (const call of calls.all()) {
      if (call.stage === "watched" && call.alert.kind === "pause") enter(call, () => heldBack.watch(call));
      else if (call.stage === "shown") lookAt(call);
    }
  }

  /** It has its line: a bug here only leaves it up. */
  const lookAt = guard.guarded("presence", (call: Call) => {
    if (isSeen(call)) seen(call);
  });

  const isSeen = (call: Call): boolean =>
    call.unseen === true ? lookout.lifeSince(call) : lookout.attended(call) !== undefined;

  /** Its banner goes. An ask still waits then: its reminders and messages go on when they have left it unanswered. */
  function seen(call: Call): void {
    if (call.alert.kind === "pause") setAside({ ...call, known: true });
    else drop(call);
    takingBack.takeFromScreen(call, "seen");
  }

  function resumeOne(call: Call): void {
    if (call.stage === "deciding") decide(call, "unattended");
    if (call.stage === "watched") watch(call);
    if (call.stage === "shown") handingOver.resume(call);
  }

  function setAside(call: Call): void {
    handingOver.clear(call.id);
    watch({ ...call, stage: "watched" });
  }

  function drop(call: Call): void {
    calls.remove(call.id);
    heldBack.clear(call.id);
    handingOver.clear(call.id);
  }

  return {
    open,
    closed: takingBack.closed,
    openRequests: calls.openRequests,
    isOpen: (sessionID: string, requestID: string): boolean => calls.about(sessionID, requestID) !== undefined,
    finished: calls.finished,
    presenceChanged,
    worksAgain: (sessionID: string) => takingBack.withdrawEnds(sessionID, "resumed"),
    seen: (sessionID: string) => takingBack.withdrawEnds(sessionID, "seen"),
    summarised: (sessionID: string) => takingBack.withdrawEnds(sessionID, "summarised"),
    /** One engine answers: after a take-over the next one does. */
    answer: (given: GivenAnswer): boolean => !stopped && answer(given),
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
    /** A bug of ours met it before it came to an alert. */
    broken(alert: AlertKind, sessionID: string, requestID?: string): void {
      const named = requestID === undefined ? {} : { requestID };
      record({ at: clock.now(), alert, sessionID, ...named, outcome: "failed", reason: "internal", channels: [] });
    },
    deferred(sessionID: string, reason: "children-running" | "more-queued"): void {
      record({ at: clock.now(), alert: "done", sessionID, outcome: "deferred", reason, channels: [] });
    },
    /** The process ends: nobody waits for what a screen answers. */
    settle(concerns: (sessionID: string) => boolean): void {
      for (const call of calls.all())
        if (call.stage === "deciding" && concerns(call.sessionID)) dropSilently(call, "unattended", "shutdown");
    },
    all: (): readonly Call[] => calls.all(),
    /** Everything on its way has arrived, failed or gone, and its line is written. */
    finishedTelling: unfinished.finished,
    stop(): void {
      stopped = true;
      heldBack.stop();
      handingOver.stop();
    },
    resume(): void {
      for (const call of calls.all()) enter(call, () => resumeOne(call));
    },
  };
}
