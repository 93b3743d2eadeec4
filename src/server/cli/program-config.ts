import { Argument } from "commander";
import { type AddCommands, examples, tell } from "./command-line.ts";
import type { GetOptions } from "./config-command.ts";
import { exitCode } from "./exit-code.ts";
import type { PeerName } from "./import/import-command.ts";

/** `beckon config …`: everything about the one configuration file. */
export const addConfig: AddCommands = (program, context, end) => {
  const load = () => Promise.all([import("./config-command.ts"), import("../config/location.ts")]);
  const config = program
    .command("config")
    .helpCommand(false)
    .description("Read, change, check or import the settings")
    .addHelpText(
      "after",
      examples(
        ["beckon config init", "a file with every setting as a comment"],
        ["beckon config get alerts.done", "what is in force"],
        ["beckon config set alerts.done.mode both", "a banner, and a voice too"],
        ["beckon config check", "which key is wrong, and where"],
      ),
    );
  config
    .command("init")
    .description("Write a file with every setting in it as a comment")
    .action(async () => {
      const [{ initConfig }, { configPath }] = await load();
      end(tell(await initConfig(configPath(context.place)), context.out));
    });
  config
    .command("get")
    .description("Show what is in force; without a key, everything")
    .argument("[key]", "such as alerts.done.mode")
    .option("--json", "for programs")
    .option("--secrets", "with addresses, topics and tokens, which are left out else")
    .action(async (key: string | undefined, options: Partial<GetOptions>) => {
      const [{ getConfig }, { configPath }] = await load();
      const { json = false, secrets = false } = options;
      end(tell(await getConfig(configPath(context.place), key, { json, secrets }), context.out));
    });
  config
    .command("set")
    .description("Change one setting; comments and everything else in the file stay")
    .argument("<key>", "such as alerts.done.mode")
    .argument("<value>", "JSON, or a bare word; null takes the setting out")
    .addHelpText(
      "after",
      examples(
        ["beckon config set alerts.focus.idleSeconds 300", "a number"],
        ["beckon config set alerts.exclude '[\"scratch*\"]'", "a list"],
      ),
    )
    .action(async (key: string, value: string) => {
      const [{ patchFromWord, setConfig }, { configPath }] = await load();
      const { refusalForScripts } = await import("./person-only.ts");
      const refusal = refusalForScripts(patchFromWord(key, value), context);
      if (refusal === undefined) return end(tell(await setConfig(configPath(context.place), key, value), context.out));
      context.out.complain(`beckon: ${refusal}\n`);
      return end(exitCode.finding);
    });
  config
    .command("check")
    .description("Say which key is wrong, on which line, and what was expected")
    .action(async () => {
      const [{ checkConfigFile }, { configPath }] = await load();
      end(tell(await checkConfigFile(configPath(context.place)), context.out));
    });
  config
    .command("path")
    .description("Print where the file is")
    .action(async () => {
      const [{ configPathAnswer }, { configPath }] = await load();
      end(tell(configPathAnswer(configPath(context.place)), context.out));
    });
  config
    .command("schema")
    .description("Print the JSON Schema, for editors")
    .action(async () => {
      const [{ configSchemaAnswer }] = await load();
      end(tell(configSchemaAnswer(), context.out));
    });
  config
    .command("import")
    .description("Take over the settings of another notification plugin, and say what has no counterpart")
    .addArgument(
      new Argument("<plugin>", "whose").choices(["opencode-notifier", "opencode-notify", "smart-voice-notify"]),
    )
    .option("--from <file>", "instead of the plugin's own place")
    .option("--dry-run", "show what would be taken over, write nothing")
    .action(async (plugin: PeerName, { from, dryRun = false }: { from?: string; dryRun?: boolean }) => {
      const { importCommand } = await import("./import/import-command.ts");
      end(await importCommand(plugin, { ...(from === undefined ? {} : { from }), dryRun }, context));
    });
  for (const command of config.commands) command.helpOption("-h, --help", "show this help");
};
