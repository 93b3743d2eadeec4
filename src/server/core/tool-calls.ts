import type { SessionEvent } from "./event.ts";

type ToolEvent = Extract<SessionEvent, { kind: "toolNamed" | "toolInput" | "toolEnded" }>;

/** The tool calls of a running round. 2.x tells name, input and end in three events, and the end once more in a hook. */
export type ToolCalls = Map<string, { tool?: string; input?: unknown; ended?: true }>;

/** Only code mode's wrapper is unwrapped, so only its input is kept. */
const unwrapped = "execute";

/** The call that has just succeeded, once; undefined for everything else. */
export function noteCall(calls: ToolCalls, event: ToolEvent): { tool: string; input?: unknown } | undefined {
  const known = calls.get(event.callID) ?? {};
  if (known.ended === true) return undefined;
  const tool = event.kind === "toolInput" ? known.tool : (event.tool ?? known.tool);
  const input = event.input !== undefined && tool === unwrapped ? event.input : known.input;
  const call = { ...(tool === undefined ? {} : { tool }), ...(input === undefined ? {} : { input }) };
  if (event.kind !== "toolEnded") {
    calls.set(event.callID, call);
    return undefined;
  }
  calls.set(event.callID, { ended: true });
  return event.succeeded ? { tool: tool ?? "unknown", ...(input === undefined ? {} : { input }) } : undefined;
}
