import type { Attendance } from "../focus/presence.ts";
import { schedule } from "./agenda.ts";
import { drop, lineFacts, openRequests, stopWatching, surplus } from "./alert-list.ts";
import type { AlertContent } from "./alert-words.ts";
import { attended, isSeen, lifeSince } from "./attention.ts";
import type { DeliveredReason, SilentReason } from "./decision.ts";
import type { Step } from "./environment.ts";
import { schedulePushes, scheduleReminder, setAside, watch, watchPause } from "./follow-ups.ts";
import { type Gate, gate, type Plan } from "./gate.ts";
import { answerable, answerButtons, notification, withActions } from "./notification.ts";
import { lookUpMs } from "./places.ts";
import { isQuiet } from "./quiet-hours.ts";
import { record, recordSilent, silent } from "./record.ts";
import { type AfterScreen, type Alert, nextID } from "./state.ts";
import { subjectOf } from "./subject.ts";
import { takeFromScreen } from "./withdrawal.ts";

/** Why it is told now. `unseen`: a terminal that says focused does not count as somebody who looks. */
type Telling = { reason: DeliveredReason; reminders: number; unseen?: boolean };

export type Opening = { reason: DeliveredReason; requestID?: string; seenByHost?: boolean };

/** Something deserves an alert. `seenByHost`: the host itself says that somebody looked. */
export function openAlert(step: Step, content: AlertContent, sessionID: string, opening: Opening): void {
  const { state, env } = step;
  const { reason, requestID, seenByHost = false } = opening;
  if (step.ending && !env.can.detach && content.kind !== "pause")
    return silent(step, content.kind, sessionID, "shutdown");
  const alert: Alert = {
    id: nextID(state, sessionID),
    sessionID,
    content,
    ...(requestID === undefined ? {} : { requestID }),
    stage: "checking",
    since: env.now,
    reminders: 0,
    pushed: [],
  };
  state.alerts.set(alert.id, alert);
  decide(step, alert, { reason, reminders: 0 }, seenByHost);
}

/** Behind a locked screen nobody looks, whatever a terminal says. */
function decide(step: Step, alert: Alert, telling: Telling, seenByHost = false): void {
  const looks = seenByHost ? { by: "host", until: step.env.now } : attended(step, alert);
  if (looks === undefined || !mayBeLocked(step, looks)) return tellUnlessAttended(step, alert, telling, looks);
  askScreen(step, alert, { go: "decide", reason: telling.reason, reminders: telling.reminders, seenByHost });
}

/** A person at another machine's screen looks whether or not this one is locked. */
const mayBeLocked = ({ env, ending }: Step, looks: Attendance): boolean =>
  looks.remote !== true && env.can.askScreen && !ending;

function askScreen({ state, env, effects }: Step, { id }: Alert, then: AfterScreen): void {
  const lookUp = `screen ${then.go}${then.go === "push" ? ` ${then.target}` : ""} ${id}`;
  if (state.lookUps.has(lookUp)) return;
  state.lookUps.set(lookUp, { what: "screen", alertID: id, then });
  schedule(state.agenda, { what: "look-up", id: lookUp }, env.now + lookUpMs);
  effects.push({ do: "look-up", what: "screen", lookUp });
}

/** The screen's answer, or none in time: then it is not locked. */
export function afterScreen(step: Step, alertID: string, then: AfterScreen, locked: boolean): void {
  const alert = step.state.alerts.get(alertID);
  if (alert === undefined) return; // answered or overtaken meanwhile
  if (then.go === "remind") {
    if (locked) remindNow(step, alert);
  } else if (then.go === "push") {
    if (locked) pushNow(step, alert, then.target, then.reason);
  } else {
    const { reason, reminders, seenByHost } = then;
    const seen = seenByHost ? { by: "host", until: step.env.now } : attended(step, alert);
    tellUnlessAttended(step, alert, { reason, reminders, unseen: locked }, locked ? undefined : seen);
  }
}

function judge({ env }: Step, { content }: Alert, name: string, looks: Attendance | undefined): Gate {
  const { alerts } = env.config;
  const quiet = isQuiet(alerts.quietHours, env.wall, env.timeZone);
  return gate({ kind: content.kind, name, muted: isMuted(env), quiet, attended: looks }, alerts);
}

const isMuted = ({ mutedUntil, wall }: Step["env"]): boolean => (mutedUntil ?? 0) > wall;

function tellUnlessAttended(step: Step, alert: Alert, telling: Telling, looks: Attendance | undefined): void {
  const verdict = judge(step, alert, subjectOf(step, alert.sessionID).name, looks);
  if (verdict.open)
    return hand(step, alert, verdict.plan, {
      ...telling,
      reason: verdict.attended === undefined ? telling.reason : "attended",
    });
  if (alert.stage === "shown") return; // a reminder that may not leave; the banner stays
  if (verdict.why === "attended") holdBack(step, alert, verdict.attended.by);
  else dropSilently(step, alert, telling.reason, verdict.why);
}

function dropSilently(step: Step, alert: Alert, reason: DeliveredReason, why: SilentReason): void {
  drop(step.state, alert);
  if (reason !== "unseen") recordSilent(step, lineFacts(alert), why); // else it has its line
}

function holdBack(step: Step, alert: Alert, by: string): void {
  const isPause = alert.content.kind === "pause";
  const outcome = isPause ? "deferred" : "suppressed";
  record(step, { at: step.env.now, ...lineFacts(alert), outcome, reason: "attended", channels: [], by });
  if (!isPause && step.env.config.alerts.focus.unseenSeconds === 0) drop(step.state, alert);
  else watch(step, alert);
}

function hand(step: Step, alert: Alert, plan: Plan, telling: Telling): void {
  const { state, env } = step;
  alert.known = undefined;
  alert.gone = undefined;
  alert.stage = "shown"; // its requests are among those its banner names and answers
  alert.since = env.now;
  alert.reminders = telling.reminders;
  if (telling.unseen === true) alert.unseen = true;
  send(step, alert, { ...plan, voice: plan.voice && alert.heard !== true }, telling.reason);
  scheduleReminder(step, alert);
  if (telling.reason !== "overdue") schedulePushes(step, alert);
  if (telling.reason === "attended" && alert.content.kind === "pause" && env.config.alerts.pause.mode === "both") {
    alert.heard = true; // only its banner is still due
    return setAside(step, alert);
  }
  const tooMany = surplus(state);
  if (tooMany !== undefined) drop(state, tooMany);
  stopWatching(state, alert.id);
}

function send(step: Step, alert: Alert, plan: Plan, reason: DeliveredReason): void {
  const { state, env, effects } = step;
  const delivery = nextID(state, "delivery");
  state.deliveries.set(delivery, { line: lineFacts(alert), alertID: alert.id, at: env.now, reason });
  alert.deliveryID = delivery;
  alert.handed = undefined;
  const subject = subjectOf(step, alert.sessionID);
  const note = notification({ content: withOpen(step, alert), subject, plan, overdue: reason === "overdue" }, env);
  if (step.ending) effects.push({ do: "detach", delivery, note, wanted: plan.banner });
  else
    effects.push({ do: "send", delivery, note: withActions(step, note), plan, terminal: env.config.alerts.terminal });
}

/** The banner names every request of the session that is still open, once. */
function withOpen({ state }: Step, { content, sessionID }: Alert): AlertContent {
  if (content.kind !== "pause") return content;
  const all = [...openRequests(state, sessionID), ...content.requests];
  return { ...content, requests: [...new Map(all.map((request) => [request.requestID, request])).values()] };
}

/** Suppressed, and now there is a reason to tell it: they left, or nobody stirred. */
export function tellAfterAll(step: Step, alert: Alert, reason: "left" | "unseen"): void {
  if (reason === "unseen") {
    // A terminal that says focused for hours has not seen it.
    if (lifeSince(step, alert)) drop(step.state, alert);
    else tellUnlessAttended(step, alert, { reason, reminders: alert.reminders, unseen: true }, undefined);
    return;
  }
  if (attended(step, alert) !== undefined) return watchPause(step, alert);
  if (alert.known === true) followUp(step, alert);
  else decide(step, alert, { reason, reminders: alert.reminders });
}

/** It was seen, and left unanswered: what follows an alert counts from now. */
function followUp(step: Step, alert: Alert): void {
  alert.stage = "shown";
  alert.since = step.env.now;
  scheduleReminder(step, alert);
  schedulePushes(step, alert);
}

/** The terminals report something else: who left, who came. */
export function presenceChanged(step: Step): void {
  for (const alert of [...step.state.alerts.values()]) {
    if (alert.stage === "suppressed" && alert.content.kind === "pause") watchPause(step, alert);
    else if (alert.stage === "shown" && isSeen(step, alert)) seen(step, alert);
  }
}

/** Its banner goes. An ask still waits then: its reminders and messages go on when they have left it unanswered. */
function seen(step: Step, alert: Alert): void {
  const wasKnown = alert.known === true;
  if (alert.content.kind === "pause") {
    alert.known = true;
    setAside(step, alert);
  } else drop(step.state, alert);
  takeFromScreen(step, alert, "seen", wasKnown);
}

/** A reminder is decided like the alert itself. */
export function remind(step: Step, alert: Alert): void {
  unlessSeen(step, alert, { go: "remind" }, () => remindNow(step, alert));
}

const remindNow = (step: Step, alert: Alert): void =>
  decide(step, alert, { reason: "overdue", reminders: alert.reminders + 1 });

export function push(step: Step, alert: Alert, target: number, reason: DeliveredReason): void {
  unlessSeen(step, alert, { go: "push", target, reason }, () => pushNow(step, alert, target, reason));
}

/** Somebody may look by now; not behind a locked screen. */
function unlessSeen(step: Step, alert: Alert, then: AfterScreen, go: () => void): void {
  const looks = attended(step, alert);
  if (looks === undefined) go();
  else if (mayBeLocked(step, looks)) askScreen(step, alert, then);
}

/** A message that leaves the machine: with buttons when it asks for one permission and its target wants them. */
function pushNow(step: Step, alert: Alert, place: number, reason: DeliveredReason): void {
  const { state, env, effects } = step;
  const target = env.config.alerts.push[place];
  alert.pushed = [...alert.pushed, place];
  if (target === undefined || isMuted(env)) return;
  const asks = target.actions && env.can.answer ? answerable(alert.content) : undefined;
  const actions = asks === undefined ? [] : answerButtons(asks, env.wording.actions);
  const note = notification({ content: alert.content, subject: subjectOf(step, alert.sessionID) }, env);
  const delivery = nextID(state, "delivery");
  const offers = asks === undefined ? {} : { asks };
  state.deliveries.set(delivery, { line: lineFacts(alert), alertID: alert.id, at: env.now, reason, push: offers });
  effects.push({ do: "push", delivery, note: { ...note, actions }, target, ...offers });
}
