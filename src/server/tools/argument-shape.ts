import * as z from "zod/mini";
import type { Argument, ToolDefinition } from "./definitions.ts";

/**
 * The arguments as opencode 1.18 wants them: one zod schema each. They let everything through, because the host words a
 * refusal as a schema error; our own answer (`readArguments`) says what was expected. For the model the host asks each
 * schema for its JSON Schema, and gets ours. Source: opencode 1.18.33, `packages/opencode/src/tool/registry.ts`.
 */
export const argumentShape = ({ parameters }: ToolDefinition): Record<string, z.ZodMiniType> =>
  Object.fromEntries(
    Object.entries(parameters.properties).map(([name, argument]) => [
      name,
      shapeOf(argument, parameters.required.includes(name)),
    ]),
  );

function shapeOf(argument: Argument, required: boolean): z.ZodMiniType {
  const schema = required ? z.unknown() : z.optional(z.unknown());
  schema._zod.toJSONSchema = () => argument;
  return schema;
}
