import type { ServerResponse } from "node:http";
import type { ToolCall } from "./script.ts";

/** One streamed `chat/completions` answer in the OpenAI form. `id` must differ from answer to answer. */
export function startStream(response: ServerResponse, id: string) {
  const head = { id, object: "chat.completion.chunk", created: 1_700_000_000, model: "scripted" };
  const send = (body: object) => response.write(`data: ${JSON.stringify({ ...head, ...body })}\n\n`);
  const delta = (part: object, finish: string | null = null) =>
    send({ choices: [{ index: 0, delta: part, finish_reason: finish }] });

  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  delta({ role: "assistant", content: "" });
  return {
    text: (content: string) => delta({ content }),
    tools: (calls: ToolCall[]) =>
      calls.forEach((call, index) => {
        const fn = { name: call.name, arguments: JSON.stringify(call.input) };
        delta({ tool_calls: [{ index, id: `call_${id}_${index}`, type: "function", function: fn }] });
      }),
    end(finish: "stop" | "length" | "tool_calls", inputTokens = 100) {
      delta({}, finish);
      const usage = { prompt_tokens: inputTokens, completion_tokens: 10, total_tokens: inputTokens + 10 };
      send({ choices: [], usage });
      response.end("data: [DONE]\n\n");
    },
  };
}
