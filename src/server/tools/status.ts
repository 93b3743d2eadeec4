import { toolDefinitions } from "./definitions.ts";
import { readArguments } from "./read-arguments.ts";
import type { Tool } from "./tool.ts";

export type StatusDeps = { statusText(): string | Promise<string> };

export const status = ({ statusText }: StatusDeps): Tool => ({
  ...toolDefinitions.status,
  async run(sent) {
    const args = readArguments(toolDefinitions.status, sent);
    return args.ok ? statusText() : `[failed] ${args.error}`;
  },
});
