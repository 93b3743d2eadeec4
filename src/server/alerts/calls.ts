import type { Log } from "../../shared/log.ts";
import type { Attendance, Presence } from "../focus/presence.ts";
import type { Call } from "./call.ts";
import { lineOf } from "./call-lines.ts";
import { createCallList } from "./call-list.ts";
import type { AlertKind, DeliveredReason, SilentReason } from "./decision.ts";
import { type Gate, gate, type Plan, suppresses } from "./gate.ts";
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

/** From "this deserves an alert" to the person: gate, delivery, and everything that follows a delivery. */
export function createCalls(deps: CallsDeps) {
  const { clock, config, record, screen } = deps;
  const calls = createCallList(deps.seed);
  const lookout = createLookout(deps);
  const unfinished = createUnfinished(deps.log);
  const heldBack = createHeldBack({ clock, config, lookout, tell: tellAfterAll, drop });
  const handingOver = createHandingOver({ ...deps, calls, lookout, unfinished, isMuted, decide });
  const takingBack = createTakingBack({ ...deps, calls, unfinished, drop });
  let serial = calls.highestSerial();

  function isMuted(): boolean {
    return (deps.mutedUntil() ?? 0) > clock.wall();
  }

  function judge(call: Call, title: string, attended: Attendance | undefined): Gate {
    const { alerts } = config();
    const quiet = isQuiet(alerts.quietHours, clock.wall(), deps.timeZone);
    return gate({ kind: call.alert.kind, title, muted: isMuted(), quiet, attended }, alerts);
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

  /** `seen`: somebody looked, whatever the terminals say. Behind a locked screen nobody does. */
  function decide(call: Call, reason: DeliveredReason, seen?: Attendance): void {
    const looks = seen ?? lookout.attended(call);
    if (looks === undefined || looks.remote || screen === undefined) return tellUnlessAttended(call, reason, looks);
    const asked = isLocked(screen, clock).then((locked) => {
      if (call.alert.kind === "pause" && !calls.has(call.id)) return; // answered meanwhile
      const current = calls.get(call.id) ?? call;
      if (locked) tellUnlessAttended({ ...current, unseen: true }, reason, undefined);
      else tellUnlessAttended(current, reason, seen ?? lookout.attended(current));
    });
    unfinished.add("screen lock", asked);
  }

  function tellUnlessAttended(call: Call, reason: DeliveredReason, looks: Attendance | undefined): void {
    const decision = judge(call, deps.subject(call.sessionID).title, looks);
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
    if (reason === "left") decide(calls.get(call.id) ?? call, reason);
    else tellUnlessAttended({ ...call, unseen: true }, reason, undefined);
  }

  function holdBack(call: Call, by: string): void {
    const isPause = call.alert.kind === "pause";
    const outcome = isPause ? "deferred" : "suppressed";
    record({ ...lineOf(call, clock.now()), outcome, reason: "attended", channels: [], by });
    const { unseenSeconds } = config().alerts.focus;
    if (!isPause && unseenSeconds === 0) return;
    const held: Call = { ...call, stage: "watched" };
    calls.put(held);
    if (isPause) heldBack.watch(held);
    else heldBack.waitForLife(held, unseenSeconds * 1_000);
  }

  function hand(call: Call, plan: Plan, reason: DeliveredReason): void {
    handingOver.hand(call, plan, reason);
    const surplus = calls.surplus();
    if (surplus !== undefined) drop(surplus);
    heldBack.clear(call.id);
  }

  function presenceChanged(): void {
    for (const call of calls.all()) {
      if (call.stage === "watched" && call.alert.kind === "pause") heldBack.watch(call);
      else if (call.stage === "shown" && isSeen(call)) takingBack.withdraw(call, "seen");
    }
  }

  const isSeen = (call: Call): boolean =>
    suppresses(call.alert.kind, config().alerts) &&
    (call.unseen === true ? lookout.lifeSince(call) : lookout.attended(call) !== undefined);

  function drop(call: Call): void {
    calls.remove(call.id);
    heldBack.clear(call.id);
    handingOver.clear(call.id);
  }

  return {
    open,
    closed: takingBack.closed,
    openRequests: calls.openRequests,
    finished: calls.finished,
    presenceChanged,
    worksAgain: (sessionID: string) => takingBack.withdrawEnds(sessionID, "resumed"),
    seen: (sessionID: string) => takingBack.withdrawEnds(sessionID, "seen"),
    summarised: (sessionID: string) => takingBack.withdrawEnds(sessionID, "summarised"),
    /** The one permission a session's banner asks about, still open; its answer comes from that banner. */
    answering(sessionID: string, button: string): { requestID: string; refused(): void } | undefined {
      const call = calls.newestShown(sessionID);
      const [request, ...more] = calls.openRequests(sessionID);
      if (call === undefined || request?.about !== "permission" || more.length > 0) return undefined;
      call.answeredBy = `banner: ${button}`;
      return { requestID: request.requestID, refused: () => void delete call.answeredBy };
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
    /** Everything on its way has arrived, failed or gone, and its line is written. */
    finishedTelling: unfinished.finished,
    stop(): void {
      heldBack.stop();
      handingOver.stop();
    },
    resume(): void {
      for (const call of calls.all()) {
        if (call.stage === "deciding") decide(call, "unattended");
        if (call.stage === "watched" && call.alert.kind === "pause") heldBack.watch(call);
        if (call.stage === "shown") handingOver.resume(call);
      }
    },
  };
}
