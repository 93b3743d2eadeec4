import type { Config } from "../config/schema.ts";
import type { Note } from "../delivery/channel.ts";
import type { Wording } from "../locales/wording.ts";
import type { AlertKind } from "./decision.ts";
import { noteFor } from "./deliver.ts";
import type { Alert } from "./words.ts";

const samples = {
  pause: { kind: "pause", requests: [{ requestID: "test", about: "permission", label: "bash", count: 1 }] },
  done: { kind: "done", workedMs: 192_000 },
  error: { kind: "error", name: "APIError" },
} satisfies Record<AlertKind, Alert>;

/** What an alert of that kind would say of a session named «beckon test». */
export function sampleNote(kind: AlertKind, config: Config, wording: Wording, sound: boolean): Note {
  const [sessionID, title] = ["ses_test", "beckon test"];
  const subject = { sessionID, rootID: sessionID, title, name: title, project: title };
  const deps = { channels: {}, config: () => config, wording: () => wording };
  return noteFor({ alert: samples[kind], subject, plan: { banner: true, voice: true, sound } }, deps);
}
