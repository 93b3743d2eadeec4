import type { Guard } from "../../shared/guard.ts";
import type { Channel, Channels } from "./channel.ts";

/** Channels that never throw: one that meets a bug of ours has failed, and the others go on. */
export const guardedChannels = (channels: Channels, guard: Guard): Channels =>
  Object.fromEntries(Object.entries(channels).map(([name, channel]) => [name, guardedChannel(channel, guard)]));

const guardedChannel = (channel: Channel, { promising }: Guard): Channel => ({
  ...channel,
  send: promising(channel.name, { ok: false, outlet: channel.name, reason: "internal" }, channel.send),
  update: promising(channel.name, false, channel.update),
  withdraw: promising(channel.name, false, channel.withdraw),
});
