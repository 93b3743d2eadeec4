import type { Config } from "../config/schema.ts";
import type { Channel, Channels, Delivery, Note, Urgency } from "../delivery/channel.ts";
import { spokenLine, type Wording } from "../locales/wording.ts";
import type { ChannelName, FailedReason } from "./decision.ts";
import type { Plan } from "./gate.ts";
import type { Subject } from "./subject.ts";
import { type Alert, sentence } from "./words.ts";

/** What became of one alert: the channels that took it, in order, and what they were given. */
export type Handed = { title: string; message: string; channels: ChannelName[]; failure?: FailedReason };

export type DeliverDeps = { channels: Channels; config(): Config; wording(): Wording };

/** One live banner a session, replaced by its newest state. */
export const bannerKey = (sessionID: string): string => `session.${sessionID}`;

const urgencies = { pause: "critical", error: "critical", done: "normal", notify: "normal" } satisfies Record<
  Note["kind"],
  Urgency
>;

export function noteFor(alert: Alert, subject: Subject, deps: DeliverDeps, overdue = false): Note {
  const { alerts, notifications } = deps.config();
  const wording = deps.wording();
  const body = sentence(alert, wording, alerts.detail);
  const words = overdue ? wording.reminder(body) : body;
  return {
    key: bannerKey(subject.sessionID),
    kind: alert.kind,
    sessionID: subject.sessionID,
    title: subject.title,
    body: words,
    urgency: urgencies[alert.kind],
    spoken: spokenLine(subject.title, words),
    voice: notifications.voice ?? null,
    sound: typeof alerts.sound === "string" ? alerts.sound : (notifications.sound ?? null),
  };
}

/** The terminal stands in for a banner that could not be shown (`auto`), or comes beside it (`always`). Never rejects. */
export async function deliver(note: Note, plan: Plan, { channels, config }: DeliverDeps): Promise<Handed> {
  const { terminal } = config().alerts;
  const voice = plan.voice ? send(channels.voice, note) : undefined;
  const always = plan.banner && terminal === "always" ? send(channels.terminal, note) : undefined;
  const banner = plan.banner ? await send(channels.banner, note) : undefined;
  const sound = plan.sound && banner?.ok === true ? send(channels.sound, note) : undefined;
  const standIn = banner?.ok === false && terminal === "auto" ? send(channels.terminal, note) : undefined;
  const tried: [ChannelName, Delivery | undefined][] = [
    ["banner", banner],
    ["voice", await voice],
    ["sound", await sound],
    ["terminal", (await always) ?? (await standIn)],
  ];
  const taken = tried.flatMap(([name, delivery]) => (delivery?.ok === true ? [name] : []));
  const failed = tried.some(([, delivery]) => delivery?.ok === false && delivery.reason !== "unavailable");
  return {
    title: note.title,
    message: note.body,
    channels: taken,
    ...(taken.length > 0 ? {} : { failure: failed ? ("channel-error" as const) : ("no-channel" as const) }),
  };
}

const missing: Delivery = { ok: false, outlet: "none", reason: "unavailable" };

const send = (channel: Channel | undefined, note: Note): Promise<Delivery> =>
  channel === undefined ? Promise.resolve(missing) : channel.send(note);
