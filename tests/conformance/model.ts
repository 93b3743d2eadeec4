import { hasScript, parseScript, type Script, type ToolCall } from "../rig/model/script.ts";
import type { ErrorInfo } from "./records.ts";
import { contextOf, type Session } from "./session.ts";

/** What one model call gives. */
export type Answer =
  | { kind: "text"; chunks: string[]; chunkMs: number; finish: "stop" | "length"; inputTokens: number }
  | { kind: "tools"; calls: ToolCall[] }
  | { kind: "failure"; error: ErrorInfo; retryable: boolean }
  /** No model could be asked: the execution fails without a step (§4.2). */
  | { kind: "no-route"; error: ErrorInfo }
  | { kind: "hang" };

export type Model = (session: Session) => Answer;

/** Keywords the 1.18 host has no counterpart for; the rest is tests/rig/model. */
const only2x = /\[(background|execute|noroute|refused|tool)((?:\s[^\]]*)?)\]/;

const text = (line: string, finish: "stop" | "length" = "stop", inputTokens = 100): Answer => ({
  kind: "text",
  chunks: line.match(/\S+\s*/g) ?? [line],
  chunkMs: 0,
  finish,
  inputTokens,
});

/** §5.3: the tool names of 2.x for those of 1.x. */
function renamed({ name, input }: ToolCall): ToolCall {
  if (name === "bash") return { name: "shell", input };
  if (name !== "task") return { name, input };
  const { subagent_type: agent, ...rest } = input;
  return { name: "subagent", input: { agent, ...rest } };
}

/** §4.2 error types, from the recorded rounds. */
function providerError(status: number): { error: ErrorInfo; retryable: boolean } {
  if (status === 0) return { error: { type: "provider.transport", message: "HTTP transport failed" }, retryable: true };
  const message = `Provider request failed with HTTP ${status}`;
  const of = (type: string, retryable: boolean) => ({ error: { type, message, status }, retryable });
  if (status === 401 || status === 403) return of("provider.auth", false);
  if (status === 429) return of("provider.rate-limit", true);
  return status >= 500 ? of("provider.internal", true) : of("provider.error", false);
}

function calls2x(name: string, rest: string): ToolCall[] {
  const prompt = rest.replaceAll("{", "[").replaceAll("}", "]");
  if (name === "background")
    return [
      { name: "subagent", input: { agent: "general", description: "Scripted subtask", prompt, background: true } },
    ];
  if (name === "execute") return [{ name: "execute", input: { code: rest } }];
  const [tool = "", ...json] = rest.split(/\s+/);
  const input: unknown = json.length === 0 ? {} : JSON.parse(json.join(" "));
  return [{ name: tool, input: typeof input === "object" && input !== null ? { ...input } : {} }];
}

/** The scripted model. Stateless but for the failures it has served: what it says follows from the messages. */
export function createModel(): Model {
  const served = new Map<string, number>();

  function play(script: Script, key: string, rounds: number): Answer {
    switch (script.kind) {
      case "text":
        return text(script.text, script.finish, script.inputTokens);
      case "hang":
        return { kind: "hang" };
      case "slow":
        return {
          ...{ kind: "text", chunkMs: script.chunkMs, finish: "stop", inputTokens: 100 },
          chunks: Array.from({ length: script.chunks }, (_, sent) => `chunk ${sent} `),
        };
      case "tools": {
        const calls = script.rounds[rounds];
        if (calls !== undefined) return { kind: "tools", calls: calls.map(renamed) };
        return play(script.after, key, rounds - script.rounds.length);
      }
      case "http": {
        const failures = served.get(key) ?? 0;
        if (failures >= script.times) return play(script.after, key, rounds);
        served.set(key, failures + 1);
        return { kind: "failure", ...providerError(script.status) };
      }
    }
  }

  return (session) => {
    const messages = contextOf(session);
    const at = messages.findLastIndex(
      (message) => message.type === "user" && (hasScript(message.text) || only2x.test(message.text)),
    );
    const prompt = messages[at];
    const words = prompt?.type === "user" ? prompt.text : "";
    const rounds = messages
      .slice(at + 1)
      .filter((message) => message.type === "assistant" && message.content.some(({ type }) => type === "tool")).length;
    const [, name, rest = ""] = only2x.exec(words) ?? [];
    if (name === undefined) return play(parseScript(words), `${session.id} ${words}`, rounds);
    if (name === "noroute")
      return { kind: "no-route", error: { type: "provider.no-route", message: "Model unavailable: nope/nope" } };
    if (name === "refused") return { kind: "failure", ...providerError(0) };
    return rounds === 0 ? { kind: "tools", calls: calls2x(name, rest.trim()) } : text(`Finished after ${name}.`);
  };
}
