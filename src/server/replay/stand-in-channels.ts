import type { Clock } from "../../shared/clock.ts";
import { silentLog } from "../../shared/log.ts";
import type { ChannelName } from "../core/decision.ts";
import type { Channels, Delivery, Note, Outlet } from "../delivery/channel.ts";
import { channelDeadlinesMs } from "../delivery/channel-deadlines.ts";
import { createChannel } from "../delivery/create-channel.ts";
import { chooseTerminals, type Presence } from "../focus/presence.ts";

export type Behaviour = "ok" | "missing" | "fail" | "hang";

const names: readonly ChannelName[] = ["banner", "voice", "sound", "terminal", "push"];

/** Real channels over outlets that behave as the trace says. Nothing leaves the process. */
export function createStandInChannels(clock: Clock, presence: () => Presence) {
  const behaviours = new Map<ChannelName, Behaviour>();

  const nobodyThere = (name: ChannelName, note: Note): boolean =>
    name === "terminal" &&
    chooseTerminals(presence(), (sessionID) => sessionID === note.sessionID, { now: clock.now(), wall: clock.wall() })
      .length === 0;

  function answer(name: ChannelName, note: Note): Promise<Delivery> {
    const outlet = name;
    const behaviour = nobodyThere(name, note) ? "missing" : (behaviours.get(name) ?? "ok");
    switch (behaviour) {
      case "ok":
        return Promise.resolve({ ok: true, outlet, certainty: "accepted" });
      case "missing":
        return Promise.resolve({ ok: false, outlet, reason: "unavailable" });
      case "fail":
        return Promise.resolve({ ok: false, outlet, reason: "refused" });
      case "hang":
        return new Promise(() => {});
    }
  }

  const outlet = (name: ChannelName): Outlet => {
    const up = new Set<string>();
    return {
      name,
      async send(note) {
        const delivery = await answer(name, note);
        if (delivery.ok) up.add(note.key);
        return delivery;
      },
      withdraw: async (key) => up.delete(key),
      replaces: async (key) => up.has(key),
    };
  };

  const channels = Object.fromEntries(
    names.map((name) => [
      name,
      createChannel({ name, outlets: [outlet(name)], deadlineMs: channelDeadlinesMs[name], clock, log: silentLog }),
    ]),
  ) satisfies Channels;
  return { channels, behave: (channel: ChannelName, behaviour: Behaviour) => void behaviours.set(channel, behaviour) };
}
