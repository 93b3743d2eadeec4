import type { Guard } from "../../shared/guard.ts";
import { cleanBody, cleanTitle } from "../../shared/text.ts";
import type { ChannelName, Decision } from "../core/decision.ts";
import type { Delivery, Note } from "./channel.ts";
import { failureOf, type ShowDeps, send, show, type Tried } from "./deliver.ts";
import { guardedChannels } from "./guarded-channels.ts";

/** What the model asks for with `beckon_notify_user`. Never gated. */
export type NotifyRequest = {
  sessionID: string;
  mode: "both" | "banner" | "voice";
  title: string;
  message: string;
  /** The source first, so that a listener knows whose it is. */
  spoken: string;
  /** Absent = the platform's own. */
  voice?: string;
  sound?: string;
};

/** What became of a request, one entry a channel that was asked; or nothing here can notify. */
export type NotifyOutcome =
  | { kind: "tried"; attempts: readonly { channel: ChannelName; delivery: Delivery }[] }
  | { kind: "unsupported"; platform: string };

export type NotifyDeps = ShowDeps & { platform: string; now(): number; record(decision: Decision): void; guard: Guard };

/** Waits for speech, so that the report is honest. Never rejects. */
export async function notify(request: NotifyRequest, deps: NotifyDeps): Promise<NotifyOutcome> {
  const at = deps.now();
  const outcome = await deps.guard.promising<[], NotifyOutcome | undefined>("notify", undefined, () =>
    tell(request, { ...deps, channels: guardedChannels(deps.channels, deps.guard) }, at),
  )();
  if (outcome !== undefined) return outcome;
  const { sessionID } = request;
  deps.record({ at, alert: "notify", sessionID, outcome: "failed", reason: "internal", channels: [] });
  return { kind: "tried", attempts: [{ channel: "banner", delivery: broken }] };
}

const broken: Delivery = { ok: false, outlet: "beckon", reason: "internal" };

async function tell(request: NotifyRequest, deps: NotifyDeps, at: number): Promise<NotifyOutcome> {
  const { channels, platform, record } = deps;
  const note = noteOf(request);
  const speak = async (): Promise<Tried[]> => [["voice", await send(channels.voice, note)]];
  const [seen, heard] = await Promise.all([
    request.mode === "voice" ? [] : show(note, deps),
    request.mode === "banner" ? [] : speak(),
  ]);
  const attempts = [...seen, ...heard].map(([channel, delivery]) => ({ channel, delivery }));
  const taken = attempts.flatMap(({ channel, delivery }) => (delivery.ok ? [channel] : []));
  const unavailable = attempts.every(({ delivery }) => !delivery.ok && delivery.reason === "unavailable");
  const failed = failureOf(attempts.map(({ delivery }) => delivery));
  const { title, body: message, sessionID } = note;
  const line = { at, alert: "notify", sessionID, title, message, channels: taken } as const;
  if (taken.length > 0) record({ ...line, outcome: "delivered", reason: "asked-for" });
  else record({ ...line, outcome: "failed", reason: failed === "dropped" ? "channel-error" : failed });
  return unavailable && platform === "other" ? { kind: "unsupported", platform } : { kind: "tried", attempts };
}

const noteOf = ({ sessionID, title, message, spoken, voice, sound }: NotifyRequest): Note => ({
  key: `notify.${sessionID}`,
  kind: "notify",
  sessionID,
  title: cleanTitle(title) || "opencode",
  body: cleanBody(message),
  urgency: "normal",
  spoken,
  voice: voice ?? null,
  sound: sound ?? null,
});
