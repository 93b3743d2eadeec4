import { Argument } from "commander";
import { type AddCommands, examples, tell, wholeNumber } from "./command-line.ts";
import type { StatusOptions } from "./status/status-command.ts";
import type { WhyOptions } from "./why/why-command.ts";

export const addEveryDay: AddCommands = (program, context, end) => {
  program.commandsGroup("Every day:");
  program
    .command("status")
    .description("Show who runs, who looks at what, whether it is muted, and the last decisions")
    .option("-w, --watch", "stay and show every change, until Ctrl-C")
    .option("--json", "for programs")
    .action(async ({ watch = false, json = false }: Partial<StatusOptions>) => {
      const { statusCommand } = await import("./status/status-command.ts");
      end(await statusCommand({ watch, json }, context));
    });
  program
    .command("why")
    .description("Say why you were called, or why not")
    .addArgument(new Argument("[session]", "a session's id, the start of one, or a part of its title"))
    .option("-n, --last <count>", "show the newest so many decisions", wholeNumber, 20)
    .option("-f, --follow", "go on with what is decided from now on, until Ctrl-C")
    .option("--json", "one decision a line, for programs")
    .addHelpText(
      "after",
      examples(
        ["beckon why --last 1", "the newest decision"],
        ["beckon why login", "every decision about sessions named like that"],
        ["beckon why --follow", "watch it decide"],
      ),
    )
    .action(async (session: string | undefined, options: Partial<WhyOptions> & { last: number }) => {
      const { whyCommand } = await import("./why/why-command.ts");
      end(await whyCommand(session, { follow: false, json: false, ...options }, context));
    });
  program
    .command("mute")
    .description("Be silent for a while: every opencode of yours obeys at once")
    .argument("[time...]", "30m, 1h30m, «until 18:00», or off; nothing: how it stands")
    .addHelpText(
      "after",
      examples(
        ["beckon mute 30m", "a meeting"],
        ["beckon mute until 18:00", "till the evening"],
        ["beckon mute off", "alerts again"],
      ),
    )
    .action(async (words: string[]) => {
      const [{ muteCommand }, { mutePath }] = await Promise.all([
        import("./mute-command.ts"),
        import("../config/location.ts"),
      ]);
      end(tell(await muteCommand(words, { path: mutePath(context.place), wall: context.wall() }), context.out));
    });
};
