import { systemClock } from "../../../shared/clock.ts";
import { configPath } from "../../config/location.ts";
import type { Config } from "../../config/schema.ts";
import type { AlertContent } from "../../core/alert-words.ts";
import type { AlertKind, ChannelName } from "../../core/decision.ts";
import { notification } from "../../core/notification.ts";
import { chooseLocale, wordingFor } from "../../core/wording/locale.ts";
import type { Note } from "../../delivery/channel.ts";
import { configInForce } from "../config-in-force.ts";
import type { Context } from "../context.ts";
import { readDaemonFacts } from "../desktop/daemon-facts.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { deliveryWords } from "./delivery-words.ts";
import { type Sent, sendTest } from "./send-test.ts";

export type TestOptions = { kind: AlertKind; channels: readonly ChannelName[] };

const samples = {
  pause: { kind: "pause", requests: [{ requestID: "test", about: "permission", label: "bash", count: 1 }] },
  done: { kind: "done", workedMs: 192_000 },
  error: { kind: "error", name: "APIError" },
} satisfies Record<AlertKind, AlertContent>;

/** Sends one real alert, as a session's would be, and says what became of it. Nothing holds it back. */
export async function testCommand({ kind, channels: asked }: TestOptions, context: Context): Promise<number> {
  const { out, place } = context;
  const path = configPath(place);
  const { value: config, problems } = configInForce(path);
  for (const problem of problems) out.complain(`beckon: ${path} is not in force, the defaults are: ${problem}\n`);
  const wanted = asked.length > 0 ? asked : configuredChannels(config, kind);
  if (wanted.length === 0) {
    out.complain(`beckon: alerts.${kind}.mode is "none": nothing would be sent. Try another: --channel banner\n`);
    return exitCode.finding;
  }
  const note = testNote(kind, wanted, config, context);
  out.write(`«${note.title}: ${note.body}»\n`);
  const sent = await sendTest(note, wanted, config, context);
  const paint = createPaint(out.colour);
  for (const { name, delivery } of sent) {
    const brush = delivery.ok ? paint.green : paint.red;
    out.write(`  ${name.padEnd(8)}  ${brush(deliveryWords(name, delivery))}\n`);
  }
  for (const line of await hints(sent, context)) out.write(`${line}\n`);
  return sent.some(({ delivery }) => delivery.ok) ? exitCode.done : exitCode.finding;
}

function testNote(kind: AlertKind, wanted: readonly ChannelName[], config: Config, { place }: Context): Note {
  const wording = wordingFor(chooseLocale(config.locale, place.env));
  const [sessionID, title] = ["ses_test", "beckon test"];
  const subject = { sessionID, rootID: sessionID, title, name: title, project: title };
  const plan = { banner: true, voice: true, sound: wanted.includes("sound") };
  return notification({ content: samples[kind], subject, plan }, { config, wording });
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
