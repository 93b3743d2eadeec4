import type { MessageView } from "../../core/message-history.ts";
import { count, fields, list } from "../read.ts";
import { isNotice, writerOf } from "./prompt-parts.ts";
import { errorName } from "./translate.ts";

/** The message list of 1.18 (`{ info, parts }`, oldest first) as a verdict reads it. */
export const messageViews = (messages: unknown): MessageView[] => list(messages).map(messageView);

function messageView(message: unknown): MessageView {
  const { info, parts } = fields(message);
  const { role, time, error } = fields(info);
  const { created } = fields(time);
  const facts = list(parts).map(fields);
  const texts = facts.filter(({ type }) => type === "text").map(writerOf);
  return {
    role: role === "assistant" || (role === "user" && !isNotice(facts)) ? role : "other",
    texts: texts.flatMap((writer) => (writer === undefined ? [] : [{ synthetic: writer === "synthetic" }])),
    ...(facts.some(({ type }) => type === "compaction") ? { compaction: true } : {}),
    ...(count(created) === undefined ? {} : { created: count(created) ?? 0 }),
    ...(error === undefined || error === null ? {} : { error: errorName(error) }),
  };
}
