import { createHash, createHmac } from "node:crypto";
import type { Config } from "../config/schema.ts";
import type { Note, WayBack } from "./channel.ts";
import type { HttpRequest } from "./http-client.ts";
import { topicURL } from "./topic-url.ts";

export type PushTarget = Config["alerts"]["push"][number];
export type NtfyTarget = Extract<PushTarget, { type: "ntfy" }>;

const tags = { pause: "raised_hand", done: "white_check_mark", error: "warning", notify: "bell" } as const;
const priorities = { low: 2, normal: 3, critical: 4 } as const;

/** What leaves this machine: the project and the kind; the title and the detail only where the target asks for them. */
const pushText = (note: Note, { title, detail }: PushTarget): { title: string; body: string } => ({
  title: title ? note.title : (note.away?.title ?? "opencode"),
  body: detail ? note.body : (note.away?.body ?? note.kind),
});

/**
 * ntfy: JSON to the server's root. A message of the same sequence replaces the one before it, from ntfy 2.16 on; older
 * ones show another. Webhook: JSON of ours, signed over its very bytes.
 */
export function pushRequest(note: Note, target: PushTarget, at: string, wayBack?: WayBack): HttpRequest {
  const { title, body } = pushText(note, target);
  if (target.type === "webhook") {
    const message = {
      event: "alert",
      id: sequenceOf(note.key),
      kind: note.kind,
      urgency: note.urgency,
      title,
      body,
      at,
    };
    return signed(target, JSON.stringify(message));
  }
  return {
    url: target.url,
    method: "POST",
    headers: { "content-type": "application/json", ...authorization(target) },
    body: JSON.stringify({
      topic: target.topic,
      title,
      message: body,
      priority: priorities[note.urgency],
      tags: [tags[note.kind]],
      sequence_id: sequenceOf(note.key),
      ...(wayBack === undefined ? {} : { actions: buttonsOf(wayBack) }),
    }),
  };
}

/** Pressed, the phone posts the value by itself; it then takes the message away. docs.ntfy.sh/publish/#action-buttons */
const buttonsOf = ({ target, topic, buttons }: WayBack) =>
  buttons.map(({ label, value }) => ({
    action: "http",
    label,
    url: topicURL(target.url, topic),
    method: "POST",
    body: value,
    clear: true,
  }));

/** Takes a message back. An ntfy before 2.16 knows no such thing and answers an error. */
export function withdrawalRequest(key: string, target: PushTarget, at: string): HttpRequest {
  if (target.type === "webhook") {
    return signed(target, JSON.stringify({ event: "withdrawn", id: sequenceOf(key), at }));
  }
  return {
    url: topicURL(target.url, target.topic, sequenceOf(key)),
    method: "DELETE",
    headers: authorization(target),
  };
}

/** ntfy allows `[-_A-Za-z0-9]`, at most 64. */
const sequenceOf = (key: string): string => createHash("sha256").update(key).digest("hex").slice(0, 32);

const authorization = ({ token }: NtfyTarget): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

function signed({ url, secret }: Extract<PushTarget, { type: "webhook" }>, body: string): HttpRequest {
  const signature = secret ? createHmac("sha256", secret).update(body).digest("hex") : undefined;
  return {
    url,
    method: "POST",
    headers: { "content-type": "application/json", ...(signature ? { "x-signature": `sha256=${signature}` } : {}) },
    body,
  };
}
