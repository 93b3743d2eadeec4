import { type AddCommands, examples, secondsOfADay, wholeNumber } from "./command-line.ts";
import type { RecordOptions } from "./record/record-command.ts";

export const addReports: AddCommands = (program, context, end) => {
  program.commandsGroup("Bug reports:");
  program
    .command("record")
    .description("Write what a running opencode tells the plugin to a file, without private text")
    .argument("<file>", "a new file; Ctrl-C ends the recording")
    .option("--pid <pid>", "which opencode, where several run (see: beckon status)", wholeNumber)
    .option("--seconds <count>", "end by itself after so long", secondsOfADay)
    .addHelpText("after", examples(["beckon record trouble.jsonl", "then do again what went wrong, and press Ctrl-C"]))
    .action(async (file: string, options: RecordOptions) => {
      const { recordCommand } = await import("./record/record-command.ts");
      end(await recordCommand(file, options, context));
    });
  program
    .command("replay")
    .description("Decide a recorded or written trace again, with the real code and a clock that does not wait")
    .argument("<file...>", "traces, one JSON object a line (docs/trace.md)")
    .option("--json", "one decision a line, for programs")
    .addHelpText("after", examples(["beckon replay trouble.jsonl", "what is decided, and why"]))
    .action(async (files: string[], { json = false }: { json?: boolean }) => {
      const { replayCommand } = await import("./replay-command.ts");
      end(await replayCommand(files, { json }, context.out));
    });
};
