import type { MessageView } from "../../core/message-history.ts";
import { count, fields, list } from "../read.ts";
import { errorName } from "./translate.ts";

/** `session.context` of 2.x, oldest first, as a verdict reads it. Unknown types are skipped, not refused. */
export const messageViews = (messages: unknown): MessageView[] => list(messages).map(messageView);

function messageView(message: unknown): MessageView {
  const { type, time, error, metadata } = fields(message);
  const { created } = fields(time);
  const at = count(created);
  return {
    role: roleOf(type, fields(metadata).source !== undefined),
    texts: [],
    ...(at === undefined ? {} : { created: at }),
    ...(error === undefined || error === null ? {} : { error: errorName(error) }),
  };
}

function roleOf(type: unknown, fromElsewhere: boolean): MessageView["role"] {
  switch (type) {
    case "user":
      return fromElsewhere ? "synthetic" : "user";
    case "synthetic":
    case "assistant":
    case "idle":
      return type;
    default:
      return "other";
  }
}
