import type { Registration } from "./hooks.ts";
import { isSchema, type Schema } from "./json-schema.ts";

/** §3.4, the second argument of `execute`. */
export type ToolCallContext = {
  sessionID: string;
  agent: string;
  messageID: string;
  id: string;
  signal: AbortSignal;
  progress(metadata: Record<string, unknown>): void;
};
export type ToolDefinition = {
  name: string;
  description: string;
  input: Schema;
  output?: Schema;
  options?: { codemode?: boolean };
  execute(input: unknown, call: ToolCallContext): unknown;
};
export type ToolEditor = { add(definition: unknown): void };
type Transform = (editor: ToolEditor) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function isDefinition(value: unknown): value is ToolDefinition {
  return (
    isRecord(value) &&
    typeof value.name === "string" &&
    typeof value.description === "string" &&
    isSchema(value.input) &&
    (value.output === undefined || isSchema(value.output)) &&
    typeof value.execute === "function"
  );
}

/** The tools plugins add in one location. */
export function createToolRegistry() {
  const transforms = new Set<Transform>();

  /** §3.1: the callback is synchronous and replayable; the host plays all of them whenever it wants the list. */
  function build(): ToolDefinition[] {
    const tools = new Map<string, ToolDefinition>();
    const editor: ToolEditor = {
      add(definition) {
        if (!isDefinition(definition)) throw new Error("Invalid tool definition");
        tools.set(definition.name, definition);
      },
    };
    for (const transform of transforms)
      if (transform(editor) instanceof Promise) throw new Error("tool.transform callback must be synchronous");
    return [...tools.values()];
  }

  return {
    async transform(callback: Transform): Promise<Registration> {
      const own: Transform = (editor) => callback(editor);
      transforms.add(own);
      try {
        build();
      } catch (error) {
        transforms.delete(own);
        throw error;
      }
      return { dispose: async () => void transforms.delete(own) };
    },
    list: () => build(),
    /** §3.4: tools that stay in code mode are only reachable through `execute`. */
    offered: () => build().filter(({ options }) => options?.codemode === false),
    get: (name: string) => build().find((tool) => tool.name === name),
  };
}

export type ToolRegistry = ReturnType<typeof createToolRegistry>;
