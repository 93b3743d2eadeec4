import { push } from "./alert.ts";
import { alertAbout, drop, endsOf } from "./alert-list.ts";
import type { Hidden } from "./decision.ts";
import type { Step } from "./environment.ts";
import { takeScheduledPushes } from "./follow-ups.ts";
import { recordDelivery, recordOvertaken } from "./record.ts";
import type { Delivering, Handed } from "./state.ts";
import { reviewSummary } from "./summary.ts";
import { finishWithdrawal } from "./withdrawal.ts";

/** A delivery arrived or failed: its line, and what hangs on it. */
export function arrived(step: Step, id: string, handed: Handed, hidden: readonly Hidden[]): void {
  const { state } = step;
  const delivery = state.deliveries.get(id);
  if (delivery === undefined) return;
  state.deliveries.delete(id);
  const { line, at, reason } = delivery;
  if (delivery.push !== undefined) return messageArrived(step, delivery, handed, delivery.push.asks);
  const isLined =
    recordDelivery(step, line, { at, handed, reason, hidden }) || reason === "overdue" || reason === "unseen";
  if (!isLined) recordOvertaken(step, line); // a reminder that was taken back has the line of what it reminds of
  const alert = state.alerts.get(delivery.alertID);
  if (alert?.deliveryID === id) alert.handed = handed;
  if (alert !== undefined && hidden.length > 0)
    for (const target of takeScheduledPushes(step, alert)) push(step, alert, target, reason);
  for (const [withdrawalID, withdrawal] of state.withdrawals) {
    if (withdrawal.deliveryID !== id) continue;
    delete withdrawal.deliveryID;
    withdrawal.handed = handed;
    finishWithdrawal(step, withdrawalID);
  }
  reviewSummary(step);
}

function messageArrived(step: Step, { line, at, reason }: Delivering, handed: Handed, asks: string | undefined): void {
  // Answered while it was sent: no button of it counts.
  if (asks !== undefined && alertAbout(step.state, line.sessionID, asks) === undefined)
    step.effects.push({ do: "close-push", sessionID: line.sessionID, requestID: asks });
  recordDelivery(step, line, { at, handed, reason });
}

/** What was to be taken back went, or did not. */
export function wentAway(step: Step, id: string, channels: NonNullable<Handed["channels"]>): void {
  const withdrawal = step.state.withdrawals.get(id);
  if (withdrawal === undefined) return;
  withdrawal.channels = channels;
  finishWithdrawal(step, id);
}

/** The person closed the banner of an end: they know. One that went by itself may still be pushed. */
export function bannerClosed({ state }: Step, sessionID: string, byPerson: boolean): void {
  for (const alert of endsOf(state, sessionID)) {
    if (alert.stage !== "shown") continue;
    if (byPerson) drop(state, alert);
    else alert.gone = true;
  }
}
