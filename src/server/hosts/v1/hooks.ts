import type { HostEvent } from "../../core/event.ts";
import { fields, identity, list } from "../read.ts";
import { promptTrigger } from "./prompt-parts.ts";

/** The hooks of 1.18 that tell something: who wrote a prompt, and which tool call succeeded. */
export function translateHook(hook: string, input: unknown, output: unknown): HostEvent | undefined {
  if (hook === "chat.message") return prompt(input, output);
  if (hook === "tool.execute.after") return toolDone(input);
  return undefined;
}

/** Called before a user message is stored, also for one that starts no run (`noReply`), which it does not tell. */
function prompt(input: unknown, output: unknown): HostEvent | undefined {
  const sessionID = identity(fields(input).sessionID);
  if (sessionID === undefined) return undefined;
  const { message, parts } = fields(output);
  const trigger = promptTrigger(list(parts));
  if (trigger === undefined) return undefined;
  const promptID = identity(fields(message).id) ?? identity(fields(input).messageID);
  return { sessionID, events: [{ kind: "prompted", trigger, ...(promptID === undefined ? {} : { promptID }) }] };
}

/** Not called for a tool that failed or was refused (opencode 1.18.33). */
function toolDone(input: unknown): HostEvent | undefined {
  const { sessionID, callID, tool, args } = fields(input);
  const session = identity(sessionID);
  const call = identity(callID);
  const name = identity(tool);
  if (session === undefined || call === undefined || name === undefined) return undefined;
  return {
    sessionID: session,
    events: [{ kind: "toolEnded", callID: call, succeeded: true, tool: name, input: args }],
  };
}
