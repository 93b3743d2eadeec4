import { expect, test } from "vitest";
import { silentError } from "../../../src/server/core/errors.ts";

test.each([
  ["MessageAbortedError", "aborted"],
  ["aborted", "aborted"],
  ["SessionShutdownError", "shutdown"],
  ["SessionSupersededError", "superseded"],
  ["permission.rejected", "dismissed"],
  ["QuestionRejectedError", "dismissed"],
])("%s needs nobody: %s", (name, reason) => {
  expect(silentError(name)).toBe(reason);
});

test.each([
  "SessionInactivityError",
  "ConnectionAbortedError",
  "StreamInterruptedError",
  "messageabortederror",
  "APIError",
  "unknown",
  "",
  "constructor",
])("%j needs somebody: only exact names are silent", (name) => {
  expect(silentError(name)).toBeUndefined();
});
