import * as z from "zod/mini";

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.optional(z.string()) })),
  z.null(),
]);
const schema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.optional(content) })),
  tools: z.optional(z.array(z.unknown())),
});

/** What the host asked of the model, in our words. */
export type ModelRequest = {
  /** The last text of the person that carries a script, or an empty text. */
  prompt: string;
  /** How many rounds of tools have been answered since that text. */
  roundsDone: number;
  /** False for titles and summaries. */
  offersTools: boolean;
  /** The tools as the host describes them. */
  tools: readonly unknown[];
  /** What the tools answered since that text, oldest first. */
  answers: readonly string[];
  /** All text of the host itself. */
  system: string;
};

type Message = z.infer<typeof schema>["messages"][number];

function textOf(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return (message.content ?? []).map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("\n");
}

/** Throws when the body is not a `chat/completions` request: only the host talks to us, so that would be its bug or ours. */
export function readRequest(body: string, isScript: (text: string) => boolean): ModelRequest {
  const { messages, tools } = schema.parse(JSON.parse(body));
  const at = messages.findLastIndex((message) => message.role === "user" && isScript(textOf(message)));
  const prompt = messages[at];
  const after = messages.slice(at + 1);
  return {
    prompt: prompt === undefined ? "" : textOf(prompt),
    roundsDone: after.filter((message, index) => message.role === "tool" && after[index - 1]?.role !== "tool").length,
    offersTools: (tools ?? []).length > 0,
    tools: tools ?? [],
    answers: after.filter(({ role }) => role === "tool").map(textOf),
    system: messages
      .filter(({ role }) => role === "system")
      .map(textOf)
      .join("\n"),
  };
}
