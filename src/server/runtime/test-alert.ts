import type { NotifyOutcome, NotifyRequest } from "../delivery/notify.ts";

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
