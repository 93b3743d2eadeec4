import { Command } from "commander";
import type { Context } from "./context.ts";
import { createPaint } from "./paint.ts";
import { addEveryDay } from "./program-every-day.ts";
import { addReports } from "./program-reports.ts";
import { addSetup } from "./program-setup.ts";

/** Every command with its help. What a command needs is loaded when it is called: `beckon replay` starts fast. */
export function createProgram(context: Context, end: (code: number) => void): Command {
  const { out, version } = context;
  const program = new Command("beckon")
    .usage("COMMAND [options]")
    .description("Calls you back when opencode needs you, and only when you are not already looking.")
    .version(version, "-V, --version", "print the version of opencode-beckon")
    .helpOption("-h, --help", "show help; beckon COMMAND --help tells all about a command")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => out.write(text), // help for a command that wants another word
      outputError: () => {}, // run.ts says it in one line
      getOutHelpWidth: () => Math.min(out.columns ?? 80, 100),
      getOutHasColors: () => out.colour,
    })
    .configureHelp({ styleTitle: createPaint(out.colour).bold })
    .addHelpText("after", closing);
  for (const add of [addSetup, addEveryDay, addReports]) add(program, context, end);
  for (const command of program.commands) command.helpOption("-h, --help", "show this help");
  return program;
}

const closing = `
First steps: beckon install, restart opencode, beckon doctor, beckon test
Exit codes:  0 done, 1 a finding or nothing delivered,
             2 bad usage or malformed input, 70 our bug`;
