import type { Call, EngineDeps } from "./engine.ts";
import { ToolFailed } from "./run.ts";

/**
 * Returns when the call may go on. §4.3, §4.4: a reject with a message fails this call only; without one it stops the
 * whole execution. A rule that denies asks nobody.
 */
export async function allowed(
  deps: EngineDeps,
  call: Call,
  action: string,
  resources: string[],
  save: string[] = resources,
): Promise<void> {
  const { session, message, part, run, services } = call;
  const source = { type: "tool", messageID: message.id, id: part.id } as const;
  const ask = { action, resources, save, source };
  const verdict = await deps.permissions.ask(session, ask, services.hooks, run.signal);
  if (verdict.reply === "once" || verdict.reply === "always") return;
  if (verdict.reply === "denied")
    throw new ToolFailed({ type: "permission.rejected", message: `Permission denied: ${action}` });
  if (verdict.reply === "reject" && verdict.message !== undefined)
    throw new ToolFailed({ type: "permission.rejected", message: verdict.message });
  run.stop(deps.options.dismissReason);
  run.signal.throwIfAborted();
}
