import type { NoteAction } from "../delivery/channel.ts";
import type { Wording } from "../locales/wording.ts";
import type { Alert } from "./words.ts";

export type PermissionAnswer = { decision: "once" | "reject"; requestID: string };

/**
 * The request a lone permission's buttons would answer. Questions and several requests have none, nor has one whose host
 * gave it no id: it goes by its kind, which no host could answer.
 */
export function answerable(alert: Alert): string | undefined {
  if (alert.kind !== "pause") return undefined;
  const [request, ...more] = alert.requests;
  const { about, requestID } = request ?? {};
  return about === "permission" && requestID !== about && more.length === 0 ? requestID : undefined;
}

/** Each button names its request: one that is pressed late answers that one or nothing, whatever is asked by then. */
export const answerButtons = (requestID: string, { allowOnce, deny }: Wording["actions"]): NoteAction[] => [
  { key: `once:${requestID}`, label: allowOnce },
  { key: `reject:${requestID}`, label: deny },
];

/** What a pressed button answers; undefined for another one. */
export function answerOf(key: string): PermissionAnswer | undefined {
  for (const decision of ["once", "reject"] as const)
    if (key.startsWith(`${decision}:`)) return { decision, requestID: key.slice(decision.length + 1) };
  return undefined;
}
