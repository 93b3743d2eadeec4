import { systemClock } from "../../../shared/clock.ts";
import { raiseBytes } from "../../../shared/terminal-notification.ts";
import { multiplexerOf, protocolOf } from "../../../shared/terminal-protocol.ts";
import type { Config } from "../../config/schema.ts";
import type { ChannelName } from "../../core/decision.ts";
import type { Delivery, Note } from "../../delivery/channel.ts";
import { createChannels } from "../../delivery/channels.ts";
import { createLazyPush } from "../../delivery/lazy-push.ts";
import { platformOf } from "../../delivery/platform.ts";
import type { Context } from "../context.ts";

export type Sent = { name: ChannelName; delivery: Delivery };

/** Hands one note to each of those channels and waits for what they say. */
export async function sendTest(
  note: Note,
  wanted: readonly ChannelName[],
  config: Config,
  context: Context,
): Promise<Sent[]> {
  const { place } = context;
  const platform = platformOf(place.platform, place.env, undefined);
  const machine = createChannels({ platform, env: place.env, clock: systemClock, log: () => {} });
  const ways = {
    banner: async () => [await send(machine.banner, note)],
    voice: async () => [await send(machine.voice, note)],
    sound: async () => [await send(machine.sound, note)],
    terminal: async () => [writeToTerminal(note, context)],
    push: () => push(note, config, context),
  } satisfies Record<ChannelName, () => Promise<Delivery[]>>;
  const sent = await Promise.all(
    wanted.map(async (name) => (await ways[name]()).map((delivery): Sent => ({ name, delivery }))),
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

async function push(note: Note, { alerts }: Config, { place }: Context): Promise<Delivery[]> {
  if (alerts.push.length === 0) return [nowhere("push", "alerts.push names no address")];
  const pushes = createLazyPush({ env: place.env, clock: systemClock, log: () => {} });
  return Promise.all(alerts.push.map((target) => pushes.send(note, target)));
}
