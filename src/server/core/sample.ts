import type { Config } from "../config/schema.ts";
import type { Note } from "../delivery/channel.ts";
import type { AlertContent } from "./alert-words.ts";
import type { AlertKind } from "./decision.ts";
import { notification } from "./notification.ts";
import type { Wording } from "./wording/wording.ts";

const samples = {
  pause: { kind: "pause", requests: [{ requestID: "test", about: "permission", label: "bash", count: 1 }] },
  done: { kind: "done", workedMs: 192_000 },
  error: { kind: "error", name: "APIError" },
} satisfies Record<AlertKind, AlertContent>;

/** What an alert of that kind would say of a session named «beckon test». */
export function sampleNote(kind: AlertKind, config: Config, wording: Wording, sound: boolean): Note {
  const [sessionID, title] = ["ses_test", "beckon test"];
  const subject = { sessionID, rootID: sessionID, title, name: title, project: title };
  return notification(
    { content: samples[kind], subject, plan: { banner: true, voice: true, sound } },
    { config, wording },
  );
}
