import type { ChannelName } from "../../src/server/core/decision.ts";
import type { Channel, Channels, Delivery, Note } from "../../src/server/delivery/channel.ts";

export type Answer = "ok" | "recalled" | "dropped" | "unavailable" | "refused" | "hangs";

const names = ["banner", "voice", "sound", "terminal", "push"] as const satisfies readonly ChannelName[];

export type FakeChannelsOptions = {
  onSend?: (note: Note) => void;
  /** What is up: handed on, the next channels can take it back. */
  up?: Set<string>;
};

/** Channels that remember what they were given, in order, and answer as the test says. */
export function createFakeChannels({ onSend = () => {}, up = new Set<string>() }: FakeChannelsOptions = {}) {
  const sent: { channel: ChannelName; note: Note }[] = [];
  const updated: { channel: ChannelName; note: Note }[] = [];
  const withdrawn: { channel: ChannelName; key: string }[] = [];
  const answers = new Map<ChannelName, Answer>();

  const deliver = (name: ChannelName): Promise<Delivery> => {
    const answer = answers.get(name) ?? "ok";
    if (answer === "hangs") return new Promise(() => {});
    if (answer !== "ok" && answer !== "recalled") return Promise.resolve({ ok: false, outlet: name, reason: answer });
    const recalled = answer === "recalled" ? { recalled: true as const } : {};
    return Promise.resolve({ ok: true, outlet: name, certainty: "accepted", ...recalled });
  };

  const channel = (name: ChannelName): Channel => ({
    name,
    send(note) {
      sent.push({ channel: name, note });
      if ((answers.get(name) ?? "ok") === "ok" && name !== "voice" && name !== "sound") up.add(`${name} ${note.key}`);
      onSend(note);
      return deliver(name);
    },
    update(note) {
      if (!up.has(`${name} ${note.key}`)) return Promise.resolve(false);
      updated.push({ channel: name, note });
      return Promise.resolve(true);
    },
    withdraw(key) {
      withdrawn.push({ channel: name, key });
      return Promise.resolve(up.delete(`${name} ${key}`));
    },
    up: () => [],
    close: () => Promise.resolve(),
  });

  const channels = {
    banner: channel("banner"),
    voice: channel("voice"),
    sound: channel("sound"),
    terminal: channel("terminal"),
    push: channel("push"),
  } satisfies Channels;

  return {
    channels,
    sent,
    up,
    updated,
    withdrawn,
    names,
    behave: (name: ChannelName, answer: Answer) => void answers.set(name, answer),
    bodies: () => sent.map(({ note }) => note.body),
  };
}
