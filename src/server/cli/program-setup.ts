import { Argument, Option } from "commander";
import { type AddCommands, examples } from "./command-line.ts";
import type { InstallOptions } from "./install/install-command.ts";
import { addConfig } from "./program-config.ts";
import type { TestOptions } from "./test/test-command.ts";

type ScopeFlags = { global?: boolean; project?: boolean };

export const addSetup: AddCommands = (program, context, end) => {
  program.commandsGroup("Set up:");
  program
    .command("install")
    .description("List the plugin in opencode's configuration; keeps comments, makes a backup")
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
    .description("Take back exactly what install wrote; without that, any entry of beckon")
    .addOption(new Option("--global", "only for all projects").conflicts("project"))
    .option("--project", "only for this project")
    .option("--dry-run", "show what would change, write nothing")
    .action(async ({ global, project, dryRun = false }: ScopeFlags & { dryRun?: boolean }) => {
      const { uninstallCommand } = await import("./install/uninstall-command.ts");
      const both = global !== true && project !== true;
      const scopes = [...(global || both ? ["global" as const] : []), ...(project || both ? ["project" as const] : [])];
      end(await uninstallCommand({ scopes, dryRun }, context));
    });
  program
    .command("doctor")
    .description("Find what is wrong and say how to repair it; ends with 1 if something is broken")
    .option("--json", "for programs, and for bug reports")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { doctorCommand } = await import("./doctor/doctor-command.ts");
      end(await doctorCommand({ json }, context));
    });
  program
    .command("test")
    .description("Send one real alert and say what became of it")
    .addArgument(new Argument("[kind]", "what to pretend").choices(["pause", "done", "error"]).default("done"))
    .addOption(
      new Option("--channel <name...>", "these instead of the configured ones").choices([
        "banner",
        "voice",
        "sound",
        "terminal",
        "push",
      ]),
    )
    .addHelpText(
      "after",
      examples(
        ["beckon test", "as a finished round would reach you"],
        ["beckon test pause --channel banner voice", "a waiting permission, shown and spoken"],
      ),
    )
    .action(async (kind: TestOptions["kind"], { channel = [] }: { channel?: TestOptions["channels"] }) => {
      const { testCommand } = await import("./test/test-command.ts");
      end(await testCommand({ kind, channels: channel }, context));
    });
  addConfig(program, context, end);
};
