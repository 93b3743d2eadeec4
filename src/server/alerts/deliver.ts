import { cleanBody } from "../../shared/text.ts";
import type { Config } from "../config/schema.ts";
import type { Channel, Channels, Delivery, Note, Urgency } from "../delivery/channel.ts";
import { spokenLine, type Wording } from "../locales/wording.ts";
import type { ChannelName, FailedReason } from "./decision.ts";
import type { Plan } from "./gate.ts";
import { productName, type Subject } from "./subject.ts";
import { type Alert, sentence } from "./words.ts";

/** What became of one alert: the channels that took it, in order, and what they were given. */
export type Handed = {
  title: string;
  message: string;
  channels: ChannelName[];
  /** Why nothing took it. "dropped": it was taken back before it left, and nothing is wrong. */
  failure?: FailedReason | "dropped";
};

export type ShowDeps = {
  channels: Channels;
  config(): Config;
  /** False: this machine has no desktop a person could see. */
  hasDesktop?(): boolean;
  /** The person was last at a terminal reached by ssh: whatever desktop is here, they may not see it. */
  isBehindSsh?(): boolean;
};

export type DeliverDeps = ShowDeps & { wording(): Wording };

/** One live banner a session, replaced by its newest state. */
export const bannerKey = (sessionID: string): string => `session.${sessionID}`;

const urgencies = {
  pause: "critical",
  error: "critical",
  done: "normal",
  notify: "normal",
} satisfies Record<Note["kind"], Urgency>;

export type ToTell = { alert: Alert; subject: Subject; plan?: Plan; overdue?: boolean };

export function noteFor({ alert, subject, plan, overdue = false }: ToTell, deps: DeliverDeps): Note {
  const { alerts, notifications } = deps.config();
  const wording = deps.wording();
  const words = sentence(alert, wording, alerts.detail);
  const body = overdue ? wording.reminder(words) : words;
  const sound = typeof alerts.sound === "string" ? alerts.sound : (notifications.sound ?? null);
  return {
    key: bannerKey(subject.sessionID),
    kind: alert.kind,
    sessionID: subject.sessionID,
    title: subject.title,
    body,
    urgency: urgencies[alert.kind],
    spoken: spokenLine(subject.title, body),
    voice: notifications.voice ?? null,
    language: wording.language,
    ...(plan?.sound === true ? { sound } : {}),
    away: { title: subject.project, body: wording.kind[alert.kind] },
  };
}

export const summaryKey = "summary";

/** One banner for several ends: it names the sessions and nothing else. */
export const summaryNote = (count: number, titles: readonly string[], { wording }: DeliverDeps): Note => {
  const body = cleanBody(wording().summary(count, titles.join(", ")));
  return { key: summaryKey, kind: "done", sessionID: "", title: productName, body, urgency: "normal", spoken: body };
};

/** Over every channel the plan names. Never rejects. */
export async function deliver(note: Note, plan: Plan, deps: DeliverDeps): Promise<Handed> {
  const { channels } = deps;
  const voice = plan.voice ? send(channels.voice, note) : undefined;
  const seen: Tried[] = plan.banner ? await show(note, deps) : [];
  const banner = seen.some(([name, delivery]) => name === "banner" && delivery.ok);
  const plays = plan.sound && banner && channels.banner?.playsSound !== true;
  const heard: Tried[] = [];
  if (voice !== undefined) heard.push(["voice", await voice]);
  if (plays && ![...seen, ...heard].some(isOver)) heard.push(["sound", await send(channels.sound, note)]);
  const tried = [...seen, ...heard].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const taken = tried.flatMap(([name, delivery]) => (delivery.ok ? [name] : []));
  const handed = { title: note.title, message: note.body, channels: taken };
  return taken.length > 0 ? handed : { ...handed, failure: failureOf(tried.map(([, delivery]) => delivery)) };
}

export function failureOf(deliveries: readonly Delivery[]): NonNullable<Handed["failure"]> {
  const reasons = deliveries.flatMap((delivery) => (delivery.ok ? [] : [delivery.reason]));
  if (reasons.includes("dropped")) return "dropped";
  if (reasons.includes("internal")) return "internal";
  return reasons.some((reason) => reason !== "unavailable") ? "channel-error" : "no-channel";
}

export type Tried = [ChannelName, Delivery];
const order: readonly ChannelName[] = ["banner", "voice", "sound", "terminal", "push"];

/**
 * The terminal stands in for a banner that could not be shown, or that nobody could see (`auto`). It comes beside it
 * where the person wants that (`always`), and where they may sit here or at the far end of an ssh connection.
 */
export async function show(note: Note, { channels, config, hasDesktop, isBehindSsh }: ShowDeps): Promise<Tried[]> {
  const { terminal } = config().alerts;
  if (terminal === "never") return [["banner", await send(channels.banner, note)]];
  const isNowhere = hasDesktop?.() === false;
  const [first, second] = isNowhere ? (["terminal", "banner"] as const) : (["banner", "terminal"] as const);
  const both = terminal === "always" || (!isNowhere && isBehindSsh?.() === true);
  const tried: Tried[] = [[first, await send(channels[first], note)]];
  const enough = tried.some(isOver) || (tried.some(([, delivery]) => delivery.ok) && !both);
  return enough ? tried : [...tried, [second, await send(channels[second], note)]];
}

/** It was taken back meanwhile: nothing more of it is to leave. */
const isOver = ([, delivery]: Tried): boolean =>
  delivery.ok ? delivery.recalled === true : delivery.reason === "dropped";

const missing: Delivery = { ok: false, outlet: "none", reason: "unavailable" };

/** A channel this machine has not got answers like one nobody serves. */
export const send = (channel: Channel | undefined, note: Note): Promise<Delivery> =>
  channel === undefined ? Promise.resolve(missing) : channel.send(note);
