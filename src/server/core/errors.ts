import type { SilentReason } from "./decision.ts";

/** Names our own translation gives to 2.x interrupts, which carry a reason and no error. */
export const interruptErrors = {
  user: "MessageAbortedError",
  shutdown: "SessionShutdownError",
  superseded: "SessionSupersededError",
  inactivity: "SessionInactivityError",
} as const;

export const inactivityError = interruptErrors.inactivity;

/**
 * Exact names only: "ConnectionAbortedError" is a dropped connection, not the person's stop.
 * Source: opencode 1.18.33 and 2.0.26, tried and read.
 */
const silentErrors: ReadonlyMap<string, SilentReason> = new Map([
  [interruptErrors.user, "aborted"],
  ["aborted", "aborted"],
  [interruptErrors.shutdown, "shutdown"],
  [interruptErrors.superseded, "superseded"],
  ["permission.rejected", "dismissed"],
  ["question.rejected", "dismissed"],
  ["PermissionRejectedError", "dismissed"],
  ["QuestionRejectedError", "dismissed"],
]);

/** Why an error of that name needs nobody, or undefined when it does. */
export const silentError = (name: string): SilentReason | undefined => silentErrors.get(name);
