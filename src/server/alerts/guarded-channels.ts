import type { Guard } from "../../shared/guard.ts";
import type { Channel, Channels } from "../delivery/channel.ts";
import type { Away } from "./send-away.ts";

/** Channels that never throw: one that meets a bug of ours has failed, and the others go on. */
export const guardedChannels = (channels: Channels, guard: Guard): Channels =>
  Object.fromEntries(Object.entries(channels).map(([name, channel]) => [name, guardedChannel(channel, guard)]));

const guardedChannel = (channel: Channel, { promising }: Guard): Channel => ({
  ...channel,
  send: promising(channel.name, { ok: false, outlet: channel.name, reason: "internal" }, channel.send),
  update: promising(channel.name, false, channel.update),
  withdraw: promising(channel.name, false, channel.withdraw),
});

/** The same for messages that leave the machine. */
export const guardedAway = (push: Away, { promising, guarded }: Guard): Away => ({
  send: promising("push", { ok: false, outlet: "push", reason: "internal" }, push.send),
  withdraw: promising("push", false, push.withdraw),
  ...(push.closed === undefined ? {} : { closed: guarded("push", push.closed) }),
});
