import type { Channel, Channels, Note } from "../delivery/channel.ts";
import type { ChannelName } from "./decision.ts";

export type WhatIsUpDeps = {
  channels: Channels;
  /** Messages that left the machine. */
  push?: { withdraw(key: string): Promise<boolean> };
};

/** What people see or hear already changes or goes, wherever it went. Gives back where it did; never rejects. */
export function createWhatIsUp({ channels, push }: WhatIsUpDeps) {
  async function changedOn(change: (channel: Channel) => Promise<boolean>): Promise<ChannelName[]> {
    const changed = await Promise.all(Object.values(channels).map((channel) => change(channel).catch(() => false)));
    return Object.values(channels).flatMap(({ name }, at) => (changed[at] === true ? [name] : []));
  }

  return {
    /** Never shows anything anew. */
    update: (note: Note): Promise<ChannelName[]> => changedOn((channel) => channel.update(note)),
    async takeBack(key: string): Promise<ChannelName[]> {
      const [fromPush, taken] = await Promise.all([
        push?.withdraw(key).catch(() => false),
        changedOn((channel) => channel.withdraw(key)),
      ]);
      return fromPush === true && !taken.includes("push") ? [...taken, "push"] : taken;
    },
  };
}
