import { cancel, isScheduled, schedule } from "./agenda.ts";
import { stopFollowing } from "./alert-list.ts";
import { attended } from "./attention.ts";
import type { Step } from "./environment.ts";
import type { Alert } from "./state.ts";

/** What is still due of a suppressed alert waits: of a pause until they leave, of an end for a sign of life. */
export function watch(step: Step, alert: Alert): void {
  alert.stage = "suppressed";
  if (alert.content.kind === "pause") return watchPause(step, alert);
  const { state, env } = step;
  const unseenMs = env.config.alerts.focus.unseenSeconds * 1_000;
  schedule(state.agenda, { what: "unseen", id: alert.id }, Math.max(env.now + 1, alert.since + unseenMs));
}

export function watchPause(step: Step, alert: Alert): void {
  const { agenda } = step.state;
  const { id } = alert;
  const looks = attended(step, alert);
  if (looks === undefined) return leave(step, alert);
  cancel(agenda, { what: "left", id });
  // The look ends by itself when nothing more is heard: a stare counts as gone after a while.
  if (Number.isFinite(looks.until))
    schedule(agenda, { what: "look-ends", id }, Math.max(step.env.now + 1, looks.until));
}

function leave({ state, env }: Step, { id }: Alert): void {
  cancel(state.agenda, { what: "look-ends", id });
  if (isScheduled(state.agenda, { what: "left", id })) return;
  schedule(state.agenda, { what: "left", id }, env.now + env.config.alerts.focus.leaveSeconds * 1_000);
}

/** A reminder of a pause, so long after it was shown. */
export function scheduleReminder({ state, env }: Step, alert: Alert): void {
  const { afterSeconds, times } = env.config.alerts.reminder;
  if (alert.content.kind !== "pause" || afterSeconds === 0 || alert.reminders >= times) return;
  schedule(state.agenda, { what: "remind", id: alert.id }, Math.max(env.now, alert.since + afterSeconds * 1_000));
}

/** Messages that leave the machine, so long after it was shown; each target once. */
export function schedulePushes({ state, env }: Step, alert: Alert): void {
  for (const [target, { afterSeconds, events }] of env.config.alerts.push.entries()) {
    if (!events.includes(alert.content.kind) || alert.pushed.includes(target)) continue;
    const at = Math.max(env.now, alert.since + afterSeconds * 1_000);
    schedule(state.agenda, { what: "push", id: alert.id, target }, at);
  }
}

/** Nothing on the screen is seen now: the messages that would leave later, taken from what is due. */
export function takeScheduledPushes({ state, env }: Step, { id }: Alert): number[] {
  const targets = [...env.config.alerts.push.keys()];
  const due = targets.filter((target) => isScheduled(state.agenda, { what: "push", id, target }));
  for (const target of due) cancel(state.agenda, { what: "push", id, target });
  return due;
}

/** It goes on as suppressed: nothing follows until they leave. */
export function setAside(step: Step, alert: Alert): void {
  stopFollowing(step.state, alert.id);
  watch(step, alert);
}
