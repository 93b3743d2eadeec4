import { allowed } from "./allowed.ts";
import { type Call, type EngineDeps, type Executions, said, type ToolResult } from "./engine.ts";
import { ToolFailed } from "./run.ts";
import type { Session } from "./session.ts";
import type { Ending } from "./session-log.ts";

const word = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback);

/** §4.6, the state in the synthetic item. */
function stateOf(ending: Ending): "completed" | "error" | "cancelled" {
  if (ending.outcome === "succeeded") return "completed";
  return ending.outcome === "failed" ? "error" : "cancelled";
}

function lastText(session: Session): string {
  const message = session.messages.findLast(({ type }) => type === "assistant");
  const texts = message?.type === "assistant" ? message.content : [];
  return texts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** §4.6: the completion comes back as a synthetic item, which wakes the parent or joins what it is doing. */
async function reportToParent(
  deps: EngineDeps,
  executions: Executions,
  child: Session,
  state: "completed" | "error" | "cancelled" | "stopped",
) {
  const parent = deps.sessionOf(child.info.parentID ?? "");
  if (parent === undefined || parent.deleted) return;
  const { title, agent } = child.info;
  const text = `<subagent sessionID="${child.id}" state="${state}" description="${title}">\n${lastText(child)}\n</subagent>`;
  const metadata = { source: "subagent", childID: child.id, agent, state };
  deps.log.enqueued(parent, { type: "synthetic", payload: { text, metadata }, delivery: "steer" });
  if (state !== "stopped") executions.wake(parent); // "stopped" does not wake by itself
}

/** §4.6. The child's prompt is a user item, though no person typed it. */
function spawn(deps: EngineDeps, { session, input }: Call): Session {
  const child = deps.newSession({
    title: word(input.description, "subtask"),
    agent: word(input.agent, "general"),
    location: session.location,
    parentID: session.id,
    // HostUnderTest: what asks for "edit" asks in the children too.
    asks: [...session.asks].filter((action) => action === "edit"),
    denies: session.denies,
  });
  deps.log.created(child);
  return child;
}

export async function subagentTool(deps: EngineDeps, executions: Executions, call: Call): Promise<ToolResult> {
  const { session, message, part, input, run } = call;
  await allowed(deps, call, "subagent", [word(input.agent, "general")]);
  const child = spawn(deps, call);
  const running = { sessionID: child.id, status: "running" };
  deps.steps.toolProgress(session, message, part, running);
  const text = `You are a subagent spawned by another session. ${word(input.prompt, "")}`;
  deps.log.enqueued(child, { type: "user", payload: { text }, delivery: "steer" });
  executions.wake(child);
  const end = executions.ended(child);
  if (input.background === true) {
    void end.then((ending) => reportToParent(deps, executions, child, stateOf(ending)));
    return said("The subagent is working in the background.", running);
  }
  run.signal.addEventListener("abort", () => void executions.interrupt(child, run.stoppedBy() ?? "user"), {
    once: true,
  });
  const ending = await end;
  run.signal.throwIfAborted();
  if (ending.outcome !== "succeeded") throw new ToolFailed({ type: "unknown", message: `Subagent ${stateOf(ending)}` });
  return said(lastText(child), { sessionID: child.id, status: "completed" });
}
