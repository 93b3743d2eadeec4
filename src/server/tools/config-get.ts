import type { ConfigStore } from "../config/store.ts";
import { toolDefinitions } from "./definitions.ts";
import { readArguments, textOf } from "./read-arguments.ts";
import type { Tool } from "./tool.ts";

export type ConfigGetDeps = { config: Pick<ConfigStore, "path" | "problem" | "show"> };

export const configGet = ({ config }: ConfigGetDeps): Tool => ({
  ...toolDefinitions.configGet,
  async run(sent) {
    const args = readArguments(toolDefinitions.configGet, sent);
    if (!args.ok) return `[failed] ${args.error}`;
    const shown = config.show(textOf(args.value, "section") ?? "", { values: true });
    if (!shown.ok) return `[failed] ${shown.error}`;
    const problem = config.problem();
    const warning = problem === undefined ? "" : `The file is not in force until this is repaired: ${problem}\n`;
    return `File: ${config.path}\n${warning}${shown.value}`;
  },
});
