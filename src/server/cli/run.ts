import { CommanderError } from "commander";
import { tellBugsTo } from "../../shared/guard.ts";
import type { Context } from "./context.ts";
import { exitCode } from "./exit-code.ts";
import { createProgram } from "./program.ts";

/** Bad usage that only the command itself can see. The message is one line. */
class UsageError extends Error {}

/** Runs one command line and says how it ended. Never throws: what a command did not expect is our bug, 70. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  const isDebug = context.place.env.BECKON_DEBUG === "1";
  tellBugsTo((line) =>
    context.out.complain(`beckon: ${isDebug ? line : line.split("\n", 1).join()}; please report it\n`),
  );
  let code: number = exitCode.done;
  const program = createProgram(context, (ended) => {
    code = ended;
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
  } catch (error) {
    return failed(error, context);
  }
  return code;
}

function failed(error: unknown, { out, version, place }: Context): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0 || error.code === "commander.help") return exitCode.done;
    const said = oneLine(error.message.replace(/^error: /, "").replace(/\n\((.*)\)$/, ". $1"));
    out.complain(`beckon: ${said} (see: beckon --help)\n`);
    return exitCode.usage;
  }
  if (error instanceof UsageError) {
    out.complain(`beckon: ${oneLine(error.message)}\n`);
    return exitCode.usage;
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const advice = `please report it with this line and the output of "beckon doctor --json"`;
  out.complain(`beckon: this is a bug in opencode-beckon ${version} (${oneLine(what)}); ${advice}\n`);
  if (place.env.BECKON_DEBUG === "1" && error instanceof Error) out.complain(`${error.stack}\n`);
  return exitCode.bug;
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, " ");
