import type { Result } from "../../shared/result.ts";
import type { Certainty, Delivery } from "./channel.ts";
import type { ProgramFailure } from "./run-program.ts";

const reasons = {
  missing: "unavailable",
  failed: "refused",
  timeout: "timeout",
  aborted: "lost",
} as const;

/** What running a program means for a delivery. Its success is never more than «it took it». */
export function deliveryOf(
  outlet: string,
  ran: Result<unknown, ProgramFailure>,
  certainty: Certainty = "accepted",
): Delivery {
  if (ran.ok) return { ok: true, outlet, certainty };
  return { ok: false, outlet, reason: reasons[ran.error.kind], detail: ran.error.detail };
}
