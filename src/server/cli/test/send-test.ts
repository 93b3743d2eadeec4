import { systemClock } from "../../../shared/clock.ts";
import { raiseBytes } from "../../../shared/terminal-notification.ts";
import { multiplexerOf, protocolOf } from "../../../shared/terminal-protocol.ts";
import type { Config } from "../../config/schema.ts";
import type { AlertKind, ChannelName } from "../../core/decision.ts";
import type { Delivery, Note } from "../../delivery/channel.ts";
import { createChannels } from "../../delivery/channels.ts";
import { createLazyPush } from "../../delivery/lazy-push.ts";
import { platformOf } from "../../delivery/platform.ts";
import type { Context } from "../context.ts";
import { pushThroughHost } from "./push-through-host.ts";

/** `by`: who sent it, where that makes a difference. */
export type Sent = { name: ChannelName; delivery: Delivery; by?: string };

type Answers = Omit<Sent, "name">[];

/** Hands one note to each of those channels and waits for what they say. */
export async function sendTest(
  { note, kind }: { note: Note; kind: AlertKind },
  wanted: readonly ChannelName[],
  config: Config,
  context: Context,
): Promise<Sent[]> {
  const { place } = context;
  const platform = platformOf(place.platform, place.env, undefined);
  const machine = createChannels({ platform, env: place.env, clock: systemClock, log: () => {} });
  const ways = {
    banner: async () => [{ delivery: await send(machine.banner, note) }],
    voice: async () => [{ delivery: await send(machine.voice, note) }],
    sound: async () => [{ delivery: await send(machine.sound, note) }],
    terminal: async () => [{ delivery: writeToTerminal(note, context) }],
    push: () => push(note, kind, config, context),
  } satisfies Record<ChannelName, () => Promise<Answers>>;
  const sent = await Promise.all(
    wanted.map(async (name) => (await ways[name]()).map((answer): Sent => ({ name, ...answer }))),
  );
  await Promise.all(Object.values(machine).map((channel) => channel.close()));
  return sent.flat();
}

const nowhere = (outlet: string, detail: string): Delivery => ({ ok: false, outlet, reason: "unavailable", detail });

const send = (channel: { send(note: Note): Promise<Delivery> } | undefined, note: Note): Promise<Delivery> =>
  channel?.send(note) ?? Promise.resolve(nowhere("none", "not on this system"));

/** What the terminal part would write, into the terminal this command runs in. */
function writeToTerminal(note: Note, { out, place }: Context): Delivery {
  if (out.columns === undefined) return nowhere("terminal", "this command does not run in a terminal");
  const protocol = protocolOf({ env: place.env }) ?? "bell";
  out.control(raiseBytes(note, protocol, multiplexerOf(place.env)));
  return { ok: true, outlet: protocol, certainty: "written" };
}

/** Where an opencode runs it does it; the same client from here may meet another environment, proxy or network. */
async function push(note: Note, kind: AlertKind, { alerts }: Config, context: Context): Promise<Answers> {
  const none = { delivery: nowhere("push", "alerts.push names no address") };
  if (alerts.push.length === 0) return [none];
  const asked = await pushThroughHost(kind, context);
  if (asked?.ok === true) {
    const by = `sent by opencode (pid ${asked.value.pid})`;
    const answers = asked.value.deliveries.map((delivery) => ({ delivery, by }));
    return answers.length > 0 ? answers : [{ ...none, by: `asked opencode (pid ${asked.value.pid})` }];
  }
  const by = `sent by this command: ${asked?.error ?? "no opencode runs with this configuration"}`;
  const pushes = createLazyPush({ env: context.place.env, clock: systemClock, log: () => {} });
  return Promise.all(alerts.push.map(async (target) => ({ delivery: await pushes.send(note, target), by })));
}
