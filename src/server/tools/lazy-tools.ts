import { promising } from "../../shared/guard.ts";
import { toolDefinitions } from "./definitions.ts";
import type { Tool } from "./tool.ts";

const bug = "[failed] a bug of beckon's own; its log has it. Nothing is known of what was done.";

/** The tools as the host registers them at its start; what runs them is loaded with the first call. */
export function lazyTools(load: () => Promise<readonly Tool[]>): Tool[] {
  return Object.values(toolDefinitions).map((definition) => ({
    ...definition,
    run: promising(definition.name, bug, async (args, call) => {
      const tool = (await load()).find(({ name }) => name === definition.name);
      if (tool === undefined) throw new Error(`no tool ${definition.name}`);
      return tool.run(args, call);
    }),
  }));
}
