import type { Note } from "../../../src/server/delivery/channel.ts";

/** A note with whatever a test cares about. */
export const noteOf = (given: Partial<Note> = {}): Note => ({
  key: "ses_S",
  kind: "pause",
  sessionID: "ses_S",
  title: "Fix login",
  body: "Waiting for you",
  urgency: "normal",
  spoken: "Fix login: waiting for you",
  ...given,
});
