import type { Trigger } from "./event.ts";

/** A message of either host, reduced to what a verdict reads. Oldest first. */
export type MessageView = {
  role: "user" | "synthetic" | "assistant" | "idle" | "other";
  /** Epoch ms, where the host tells it. */
  created?: number;
  error?: string;
  /** The host's own request to shorten the talk, and the text it adds after it. */
  compaction?: boolean;
  texts: readonly { synthetic: boolean }[];
};

/** What the message list says about the round that just ended. */
export type Shape = { trigger: Trigger; created?: number; error?: string };

/**
 * The round is what follows the previous idle marker (2.x). Trailing markers belong to the turn that just ended.
 * Without markers the newest message that is not the assistant's started it (1.18).
 * Undefined: no such message, so nobody knows.
 */
export function shapeOf(messages: readonly MessageView[]): Shape | undefined {
  const end = lastIndex(messages, (message) => message.role !== "idle") + 1;
  const marker = lastIndex(messages.slice(0, end), (message) => message.role === "idle");
  const round = messages.slice(marker + 1, end);
  const first = marker >= 0 || end < messages.length ? round.find(startsRound) : newestPrompt(round);
  if (first === undefined) return undefined;
  const last = round[lastIndex(round, (message) => message.role === "assistant")];
  return {
    trigger: isSynthetic(first) ? "synthetic" : "typed",
    ...(first.created === undefined ? {} : { created: first.created }),
    ...(last?.error === undefined ? {} : { error: last.error }),
  };
}

const startsRound = (message: MessageView): boolean => message.role === "user" || message.role === "synthetic";

/** Steps back over the host's own compaction request and the synthetic "continue" it adds in mid-round. */
function newestPrompt(round: readonly MessageView[]): MessageView | undefined {
  const prompts = round.filter(startsRound);
  let at = prompts.length - 1;
  if (at >= 1 && isSynthetic(prompts[at]) && prompts[at - 1]?.compaction === true) at -= 1;
  while (at >= 1 && prompts[at]?.compaction === true) at -= 1;
  return prompts[at];
}

/** A real prompt with an appended synthetic nudge is not synthetic. */
const isSynthetic = (message: MessageView | undefined): boolean =>
  message !== undefined &&
  (message.role === "synthetic" ||
    message.compaction === true ||
    (message.texts.length > 0 && message.texts.every((text) => text.synthetic)));

function lastIndex(messages: readonly MessageView[], fits: (message: MessageView) => boolean): number {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message !== undefined && fits(message)) return at;
  }
  return -1;
}
