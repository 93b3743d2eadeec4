import { type Attendance, attendance, type Looking } from "../focus/presence.ts";
import type { Step } from "./environment.ts";
import { rootOf } from "./family.ts";
import { suppresses } from "./gate.ts";
import type { Alert } from "./state.ts";

/** A session's own screen counts; for a pause any session of the family. */
function matcher({ state }: Step, alert: Alert): Looking["matches"] {
  const rootID = rootOf(state, alert.sessionID);
  const family = alert.content.kind === "pause";
  return (sessionID, viewRootID) =>
    sessionID === alert.sessionID || (family && (viewRootID === rootID || rootOf(state, sessionID) === rootID));
}

/** Who looks at what an alert is about. Undefined too where looking at a session is to hold nothing of this kind back. */
export function attended(step: Step, alert: Alert): Attendance | undefined {
  const { config, presence, now, wall } = step.env;
  if (!suppresses(alert.content.kind, config.alerts)) return undefined;
  const { idleSeconds } = config.alerts.focus;
  return attendance(presence, { idleSeconds, matches: matcher(step, alert) }, { now, wall });
}

/** A sign of life from a terminal that shows it, since it was held back or shown. */
export function lifeSince(step: Step, alert: Alert): boolean {
  const matches = matcher(step, alert);
  return [...step.env.presence.values()].some(
    ({ report: { view, idleMs }, reportedAt }) =>
      view.type === "session" && matches(view.sessionID, view.rootID) && reportedAt.now - idleMs > alert.since,
  );
}

/** Somebody has seen it by now. What was told although a terminal said focused needs a sign of life. */
export const isSeen = (step: Step, alert: Alert): boolean =>
  alert.unseen === true ? lifeSince(step, alert) : attended(step, alert) !== undefined;
