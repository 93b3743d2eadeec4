import { Argument } from "commander";
import { type AddCommands, examples, wholeNumber } from "./command-line.ts";
import type { WhyOptions } from "./why/why-command.ts";

export const addEveryDay: AddCommands = (program, context, end) => {
  program.commandsGroup("Every day:");
  program
    .command("why")
    .description("say why you were called, or why not")
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
};
