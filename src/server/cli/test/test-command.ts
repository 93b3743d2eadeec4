import { systemClock } from "../../../shared/clock.ts";
import type { AlertKind, ChannelName } from "../../alerts/decision.ts";
import { noteFor } from "../../alerts/deliver.ts";
import type { Alert } from "../../alerts/words.ts";
import { configPath } from "../../config/location.ts";
import type { Config } from "../../config/schema.ts";
import type { Channels, Delivery } from "../../delivery/channel.ts";
import { createChannels } from "../../delivery/channels.ts";
import { platformOf } from "../../delivery/platform.ts";
import { chooseLocale, wordingFor } from "../../locales/locale.ts";
import { configInForce } from "../config-in-force.ts";
import type { Context } from "../context.ts";
import { type DaemonFacts, readDaemonFacts } from "../desktop/daemon-facts.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { deliveryWords } from "./delivery-words.ts";

export type TestOptions = { kind: AlertKind; channels: readonly ChannelName[] };

const samples = {
  pause: { kind: "pause", requests: [{ requestID: "test", about: "permission", label: "bash", count: 1 }] },
  done: { kind: "done", workedMs: 192_000 },
  error: { kind: "error", name: "APIError" },
} satisfies Record<AlertKind, Alert>;

/** Sends one real alert, as a session's would be, and says what became of it. Nothing holds it back. */
export async function testCommand({ kind, channels: asked }: TestOptions, context: Context): Promise<number> {
  const { out, place } = context;
  const config = configInForce(configPath(place));
  const wanted = asked.length > 0 ? asked : configuredChannels(config, kind);
  if (wanted.length === 0) {
    out.complain(`beckon: alerts.${kind}.mode is "none": nothing would be sent. Try another: --channel banner\n`);
    return exitCode.finding;
  }
  const platform = platformOf(place.platform, place.env, undefined);
  const channels = createChannels({ platform, env: place.env, clock: systemClock, log: () => {} });
  const wording = () => wordingFor(chooseLocale(config.locale, place.env));
  const subject = { sessionID: "ses_test", rootID: "ses_test", title: "beckon test", project: "beckon test" };
  const plan = { banner: true, voice: true, sound: wanted.includes("sound") };
  const note = noteFor({ alert: samples[kind], subject, plan }, { channels, config: () => config, wording });
  out.write(`«${note.title}: ${note.body}»\n`);
  const deliveries = await Promise.all(
    wanted.map(async (name) => ({ name, delivery: await send(channels, name, note) })),
  );
  await Promise.all(Object.values(channels).map((channel) => channel.close()));
  const daemon =
    deliveries.some(({ name }) => name === "banner") && platform === "linux" ? await askDaemon(context) : undefined;
  const paint = createPaint(out.colour);
  for (const { name, delivery } of deliveries) {
    const brush = delivery.ok ? paint.green : paint.red;
    out.write(`  ${name.padEnd(8)}  ${brush(deliveryWords(name, delivery))}\n`);
  }
  for (const line of hints(
    daemon,
    deliveries.some(({ name, delivery }) => name === "banner" && delivery.ok),
  ))
    out.write(`${line}\n`);
  return deliveries.some(({ delivery }) => delivery.ok) ? exitCode.done : exitCode.finding;
}

/** What an alert of that kind would use, as far as it is ours to choose. */
export function configuredChannels({ alerts }: Config, kind: AlertKind): ChannelName[] {
  const { mode } = alerts[kind];
  return [
    ...(mode === "both" || mode === "banner" ? ["banner" as const] : []),
    ...(mode === "both" || mode === "voice" ? ["voice" as const] : []),
    ...(alerts.sound !== false && mode !== "none" && mode !== "voice" ? ["sound" as const] : []),
    ...(alerts.push.some(({ events }) => events.includes(kind)) ? ["push" as const] : []),
  ];
}

const send = (
  channels: Channels,
  name: ChannelName,
  note: Parameters<NonNullable<Channels["banner"]>["send"]>[0],
): Promise<Delivery> =>
  channels[name]?.send(note) ?? Promise.resolve({ ok: false, outlet: "none", reason: "unavailable" });

async function askDaemon({ place, runProgram }: Context): Promise<DaemonFacts> {
  const { openBus } = await import("../../delivery/open-bus.ts");
  return readDaemonFacts({ env: place.env, clock: systemClock, openBus, runProgram });
}

function hints(daemon: DaemonFacts | undefined, accepted: boolean): string[] {
  const held = daemon?.state === "answers" && daemon.doNotDisturb === true;
  return [
    ...(held ? ["Do-not-disturb is on: the daemon keeps the banner until you end it."] : []),
    ...(accepted ? ["Accepted is not seen: whether it was shown, only you can tell. If not: beckon doctor"] : []),
  ];
}
