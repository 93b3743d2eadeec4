import type { ToolDefinition } from "./definitions.ts";

/** A tool as both hosts can offer it. `run` answers in text for the model, also when something is wrong. */
export type Tool = ToolDefinition & {
  run(args: unknown, call: { sessionID: string }): Promise<string>;
};
