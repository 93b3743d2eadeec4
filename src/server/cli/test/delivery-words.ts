import type { ChannelName } from "../../core/decision.ts";
import type { Certainty, Delivery, DeliveryFailure } from "../../delivery/channel.ts";

const certaintyWords = {
  accepted: "accepted",
  written: "written to the terminal",
  started: "started",
} satisfies Record<Certainty, string>;

const failureWords = {
  unavailable: "not available",
  refused: "refused",
  timeout: "no answer in time",
  lost: "the connection or program died meanwhile",
  internal: "a bug of beckon's own kept it from being sent; `beckon.log` has it",
  dropped: "dropped",
} satisfies Record<DeliveryFailure, string>;

/** What a success of that outlet does not prove. */
const caveats: Readonly<Record<string, string>> = {
  osascript: "shown as Script Editor; allow it under System Settings, Notifications",
  "terminal-notifier": "allow terminal-notifier under System Settings, Notifications",
  alerter: "allow alerter under System Settings, Notifications",
  "spd-say": "it says so without a sound device, too",
  "espeak-ng": "it says so without a sound device, too",
  espeak: "it says so without a sound device, too",
};

/** «accepted by dbus», «not available: espeak-ng is not installed». Never «shown» or «seen». */
export function deliveryWords(name: ChannelName, delivery: Delivery): string {
  const { outlet } = delivery;
  const by = outlet === "none" || outlet === name ? "" : ` by ${outlet}`;
  if (!delivery.ok) {
    const detail = delivery.detail === undefined ? "" : `: ${delivery.detail}`;
    return `${failureWords[delivery.reason]}${by}${detail}`;
  }
  const caveat = Object.hasOwn(caveats, outlet) ? ` (${caveats[outlet]})` : "";
  return `${certaintyWords[delivery.certainty]}${by}${caveat}`;
}
