import { builtins } from "./builtin-tools.ts";
import type { Call, EngineDeps, Executions, ToolResult } from "./engine.ts";
import { said } from "./engine.ts";
import { faultIn } from "./json-schema.ts";
import { questionTool } from "./question-tool.ts";
import { ToolFailed } from "./run.ts";
import { aborted } from "./step-log.ts";
import { subagentTool } from "./subagent-tool.ts";
import type { ToolDefinition } from "./tool-registry.ts";

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** §3.4: `{ content: string | parts[], output?, metadata? }`. */
function readResult(name: string, result: unknown): ToolResult {
  if (!isRecord(result)) throw new ToolFailed({ type: "unknown", message: `Tool ${name} returned no result` });
  const { content, metadata } = result;
  const extra = isRecord(metadata) ? { metadata } : {};
  if (typeof content === "string") return { content: [{ type: "text", text: content }], ...extra };
  if (Array.isArray(content)) return { content, ...extra };
  throw new ToolFailed({ type: "unknown", message: `Tool ${name} returned no content` });
}

/** Runs one call: hooks around it, permission inside it (§3.5, §4.4), and its one end on the bus. */
export function createToolRunner(deps: EngineDeps, executions: Executions) {
  const { steps } = deps;

  async function runAdded(tool: ToolDefinition, call: Call): Promise<ToolResult> {
    const fault = faultIn(tool.input, call.input, "input");
    if (fault !== undefined) throw new ToolFailed({ type: "tool.invalid-input", message: fault });
    const { session, message, part } = call;
    const context = {
      sessionID: session.id,
      agent: message.agent,
      messageID: message.id,
      id: part.id,
      signal: call.run.signal,
    };
    const progress = (metadata: Record<string, unknown>) => steps.toolProgress(session, message, part, metadata);
    return readResult(tool.name, await tool.execute(structuredClone(call.input), { ...context, progress }));
  }

  /** §3.5: hooks fire for the calls inside code mode as well; the bus sees only the wrapper. */
  async function runWrapped(call: Call): Promise<ToolResult> {
    for (const line of String(call.input.code ?? "").split("|")) {
      const [name = "", ...rest] = line.trim().split(/\s+/);
      const json = rest.join(" ");
      const input: unknown = json.startsWith("{") ? JSON.parse(json) : { command: json };
      await withHooks({ ...call, name, input: isRecord(input) ? input : {} });
    }
    return said("Code ran.");
  }

  function perform(call: Call): Promise<ToolResult> {
    if (call.name === "execute") return runWrapped(call);
    if (call.name === "question") return questionTool(deps, call);
    if (call.name === "subagent") return subagentTool(deps, executions, call);
    const builtin = builtins[call.name];
    if (builtin !== undefined) return builtin(deps, call);
    const added = call.services.tools.get(call.name);
    if (added !== undefined) return runAdded(added, call);
    throw new ToolFailed({ type: "unknown", message: `Tool not found: ${call.name}` });
  }

  async function withHooks(call: Call): Promise<ToolResult> {
    const { session, message, part, name, input, services } = call;
    const base = { sessionID: session.id, agent: message.agent, messageID: message.id, id: part.id, tool: name, input };
    await services.hooks.run("tool.execute.before", base);
    try {
      const result = await perform(call);
      const value = { type: "content", value: result.content };
      await services.hooks.run("tool.execute.after", { ...base, status: "completed", result: value });
      return result;
    } catch (error) {
      const failed = asFailure(error, call);
      if (failed === undefined) throw error; // stopped: the after hook does not run (fixture interrupt-permission)
      await services.hooks.run("tool.execute.after", { ...base, status: "error", error: failed.info });
      throw failed;
    }
  }

  function asFailure(error: unknown, call: Call): ToolFailed | undefined {
    if (call.run.signal.aborted) return undefined;
    if (error instanceof ToolFailed) return error;
    return new ToolFailed({ type: "unknown", message: error instanceof Error ? error.message : String(error) });
  }

  return async (call: Call): Promise<void> => {
    const { session, message, part } = call;
    try {
      const result = await withHooks(call);
      call.run.signal.throwIfAborted();
      steps.toolSucceeded(session, message, part, result);
    } catch (error) {
      const failed = asFailure(error, call);
      steps.toolFailed(session, message, part, failed?.info ?? aborted.tool);
      // A failed tool is a result: the model goes on (§4.4).
      if (failed === undefined) throw error;
    }
  };
}
