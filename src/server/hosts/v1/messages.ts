import type { MessageView } from "../../session/round.ts";
import { count, fields, list } from "../read.ts";
import { errorName } from "./translate.ts";

/** The message list of 1.18 (`{ info, parts }`, oldest first) as a verdict reads it. */
export const messageViews = (messages: unknown): MessageView[] => list(messages).map(messageView);

function messageView(message: unknown): MessageView {
  const { info, parts } = fields(message);
  const { role, time, error } = fields(info);
  const { created } = fields(time);
  const facts = list(parts).map(fields);
  return {
    role: role === "assistant" || role === "user" ? role : "other",
    texts: facts.filter(({ type }) => type === "text").map(({ synthetic }) => ({ synthetic: synthetic === true })),
    ...(facts.some(({ type }) => type === "compaction") ? { compaction: true } : {}),
    ...(count(created) === undefined ? {} : { created: count(created) ?? 0 }),
    ...(error === undefined || error === null ? {} : { error: errorName(error) }),
  };
}
