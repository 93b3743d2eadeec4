import { Option } from "commander";
import { type AddCommands, examples } from "./command-line.ts";
import type { InstallOptions } from "./install/install-command.ts";
import { addConfig } from "./program-config.ts";

type ScopeFlags = { global?: boolean; project?: boolean };

export const addSetup: AddCommands = (program, context, end) => {
  program.commandsGroup("Set up:");
  program
    .command("install")
    .description("list the plugin in opencode's configuration; keeps comments, makes a backup")
    .addOption(new Option("--line <line>", "opencode 1.x or 2.x").choices(["1", "2", "auto"]).default("auto"))
    .addOption(new Option("--global", "for all projects (the default)").conflicts("project"))
    .option("--project", "for this project only")
    .option("--dry-run", "show what would change, write nothing")
    .option("--native-attention-off", "switch opencode's own notifications off, so that you are not called twice")
    .addHelpText(
      "after",
      examples(
        ["beckon install --dry-run", "look first"],
        ["beckon install", "for the opencode on your PATH, for all projects"],
        ["beckon install --line 2 --project", "for opencode 2.x, in this project"],
      ),
    )
    .action(async (options: { line: InstallOptions["line"] } & ScopeFlags & Partial<InstallOptions>) => {
      const { installCommand } = await import("./install/install-command.ts");
      const { line, project, dryRun = false, nativeAttentionOff = false } = options;
      const scope = project === true ? "project" : "global";
      end(await installCommand({ line, scope, dryRun, nativeAttentionOff }, context));
    });
  program
    .command("uninstall")
    .description("take back exactly what install wrote; without that, any entry of beckon")
    .addOption(new Option("--global", "only for all projects").conflicts("project"))
    .option("--project", "only for this project")
    .option("--dry-run", "show what would change, write nothing")
    .action(async ({ global, project, dryRun = false }: ScopeFlags & { dryRun?: boolean }) => {
      const { uninstallCommand } = await import("./install/uninstall-command.ts");
      const both = global !== true && project !== true;
      const scopes = [...(global || both ? ["global" as const] : []), ...(project || both ? ["project" as const] : [])];
      end(await uninstallCommand({ scopes, dryRun }, context));
    });
  addConfig(program, context, end);
};
