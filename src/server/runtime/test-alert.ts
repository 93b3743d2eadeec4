import type { Config } from "../config/schema.ts";
import type { AlertKind } from "../core/decision.ts";
import { sampleNote } from "../core/sample.ts";
import type { Wording } from "../core/wording/wording.ts";
import type { NotifyOutcome, NotifyRequest } from "../delivery/notify.ts";
import type { Push } from "../delivery/push.ts";

/** What `/beckon-test` sends: by the same ways as the model's own calls, held back by nothing. */
export const testAlert = (mode: NotifyRequest["mode"]): NotifyRequest => ({
  sessionID: "test",
  mode,
  title: "opencode-beckon",
  message: "This is a test",
  spoken: "opencode-beckon: this is a test",
});

/** What became of it, for a terminal's toast. */
export function testWords(outcome: NotifyOutcome): string {
  if (outcome.kind === "unsupported") return `nothing here can notify (${outcome.platform})`;
  return outcome.attempts
    .map(({ channel, delivery }) => `${channel}: ${delivery.ok ? delivery.certainty : delivery.reason}`)
    .join(", ");
}

/** What `beckon test` sends to the push targets: by the client and from the environment that alerts have. JSON. */
export async function testPush(kind: AlertKind, push: Push, config: Config, wording: Wording): Promise<string> {
  const note = sampleNote(kind, config, wording, false);
  return JSON.stringify(await Promise.all(config.alerts.push.map((target) => push.send(note, target))));
}
