import type { HostEvent } from "../../core/event.ts";
import { callID } from "../asks.ts";
import { fields, identity } from "../read.ts";

/** The hooks of 2.x that tell something (opencode 2.0.26). */
export function translateHook(hook: string, input: unknown): HostEvent | undefined {
  if (hook === "session.prompt") return prompt(input);
  if (hook === "tool.execute.after") return toolDone(input);
  return undefined;
}

/** Once for each prompt of a person, before it is queued. */
function prompt(input: unknown): HostEvent | undefined {
  const { sessionID, messageID, metadata } = fields(input);
  const session = identity(sessionID);
  if (session === undefined) return undefined;
  const trigger = fields(metadata).source === undefined ? "typed" : "synthetic";
  const promptID = identity(messageID);
  return {
    sessionID: session,
    events: [{ kind: "prompted", trigger, ...(promptID === undefined ? {} : { promptID }) }],
  };
}

/** Fires for the calls inside code mode too, so what a wrapper did is known without reading its code. */
function toolDone(input: unknown): HostEvent | undefined {
  const call = fields(input);
  const session = identity(call.sessionID);
  const id = callID(call);
  const name = identity(call.tool);
  if (session === undefined || id === undefined || name === undefined) return undefined;
  const succeeded = call.status === undefined ? fields(call.result).type !== "error" : call.status === "completed"; // the alpha had no status
  return { sessionID: session, events: [{ kind: "toolEnded", callID: id, succeeded, tool: name, input: call.input }] };
}
