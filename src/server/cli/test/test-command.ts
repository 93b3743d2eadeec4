import { systemClock } from "../../../shared/clock.ts";
import { configPath } from "../../config/location.ts";
import type { Config } from "../../config/schema.ts";
import type { AlertKind, ChannelName } from "../../core/decision.ts";
import { sampleNote } from "../../core/sample.ts";
import { chooseLocale, wordingFor } from "../../core/wording/locale.ts";
import { configInForce } from "../config-in-force.ts";
import type { Context } from "../context.ts";
import { readDaemonFacts } from "../desktop/daemon-facts.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { deliveryWords } from "./delivery-words.ts";
import { type Sent, sendTest } from "./send-test.ts";

export type TestOptions = { kind: AlertKind; channels: readonly ChannelName[] };

/** Sends one real alert, as a session's would be, and says what became of it. Nothing holds it back. */
export async function testCommand({ kind, channels: asked }: TestOptions, context: Context): Promise<number> {
  const { out, place } = context;
  const path = configPath(place);
  const { value: config, problems } = await configInForce(path);
  for (const problem of problems) out.complain(`beckon: ${path} is not in force, the defaults are: ${problem}\n`);
  const wanted = asked.length > 0 ? asked : configuredChannels(config, kind);
  if (wanted.length === 0) {
    out.complain(`beckon: alerts.${kind}.mode is "none": nothing would be sent. Try another: --channel banner\n`);
    return exitCode.finding;
  }
  const wording = wordingFor(chooseLocale(config.locale, place.env));
  const note = sampleNote(kind, config, wording, wanted.includes("sound"));
  out.write(`«${note.title}: ${note.body}»\n`);
  const sent = await sendTest({ note, kind }, wanted, config, context);
  const paint = createPaint(out.colour);
  for (const { name, delivery, by } of sent) {
    const brush = delivery.ok ? paint.green : paint.red;
    const sender = by === undefined ? "" : `; ${by}`;
    out.write(`  ${name.padEnd(8)}  ${brush(deliveryWords(name, delivery))}${sender}\n`);
  }
  for (const line of await hints(sent, context)) out.write(`${line}\n`);
  return sent.some(({ delivery }) => delivery.ok) ? exitCode.done : exitCode.finding;
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

async function hints(sent: readonly Sent[], context: Context): Promise<string[]> {
  const isShown = sent.some(({ name, delivery }) => (name === "banner" || name === "terminal") && delivery.ok);
  if (!isShown) return [];
  return [
    ...((await isHeldBack(sent, context))
      ? ["Do-not-disturb is on: the daemon keeps the banner until you end it."]
      : []),
    "Accepted is not seen: whether it was shown, only you can tell. If not: beckon doctor",
  ];
}

async function isHeldBack(sent: readonly Sent[], { place, runProgram }: Context): Promise<boolean> {
  if (place.platform !== "linux" || !sent.some(({ name, delivery }) => name === "banner" && delivery.ok)) return false;
  const { openBus } = await import("../../delivery/open-bus.ts");
  const daemon = await readDaemonFacts({ env: place.env, clock: systemClock, openBus, runProgram });
  return daemon.state === "answers" && daemon.doNotDisturb === true;
}
