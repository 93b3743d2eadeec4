import type { Config } from "../config/schema.ts";
import type { ChannelName } from "../core/decision.ts";
import type { Plan } from "../core/gate.ts";
import type { Handed } from "../core/state.ts";
import type { Channel, Channels, Delivery, Note } from "./channel.ts";

export type ShowDeps = {
  channels: Channels;
  /** `alerts.terminal`. */
  terminal: Config["alerts"]["terminal"];
  /** False: this machine has no desktop a person could see. */
  hasDesktop?(): boolean;
  /** The person was last at a terminal reached by ssh: whatever desktop is here, they may not see it. */
  isBehindSsh?(): boolean;
};

/** Over every channel the plan names. Never rejects. */
export async function deliver(note: Note, plan: Plan, deps: ShowDeps): Promise<Handed> {
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
export async function show(note: Note, { channels, terminal, hasDesktop, isBehindSsh }: ShowDeps): Promise<Tried[]> {
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

/** What people see or hear already changes or goes, wherever it went: the channels on which it did. Never rejects. */
export async function changedOn(
  channels: Channels,
  change: (channel: Channel) => Promise<boolean>,
): Promise<ChannelName[]> {
  const all = Object.values(channels).filter((channel) => channel !== undefined);
  const changed = await Promise.all(all.map(async (channel) => change(channel).catch(() => false)));
  return all.flatMap(({ name }, at) => (changed[at] === true ? [name] : []));
}
