import { finishedSessions } from "./alert-list.ts";
import type { Step } from "./environment.ts";
import { summaryKey, summaryNotification } from "./notification.ts";
import { withdrawEnds } from "./withdrawal.ts";

/** More `done` banners than this at once, and the oldest become one. */
const mostSeparate = 3;
/** How many stay on their own then, so that a summary never names a single session. */
const keptSeparate = 2;

/** After a banner came up: those that are too many give way to one that names their sessions. Asks are never part of it. */
export function reviewSummary(step: Step): void {
  const { state } = step;
  const up = finishedSessions(state);
  if (up.length <= mostSeparate) return;
  const giveWay = up.slice(0, up.length - keptSeparate);
  state.summarised = [...new Set([...state.summarised, ...giveWay])];
  for (const sessionID of giveWay) withdrawEnds(step, sessionID, "summarised");
  step.effects.push({ do: "show", note: summaryNotification(step) });
}

/** The session works again, was seen or is gone: the summary names it no more. */
export function leaveSummary(step: Step, sessionID: string): void {
  const { state } = step;
  if (!state.summarised.includes(sessionID)) return;
  state.summarised = state.summarised.filter((named) => named !== sessionID);
  if (state.summarised.length === 0) step.effects.push({ do: "withdraw", key: summaryKey });
  else step.effects.push({ do: "update", note: summaryNotification(step) });
}
