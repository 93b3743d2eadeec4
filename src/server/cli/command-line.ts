import { type Command, InvalidArgumentError } from "commander";
import type { Context } from "./context.ts";

/** Adds a group of commands. `end` takes the exit code. */
export type AddCommands = (program: Command, context: Context, end: (code: number) => void) => void;

/** Examples below a command's help: what people really type. */
export const examples = (...lines: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`).join("\n")}`;
};

export function wholeNumber(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError("Expected a whole number above 0.");
  return count;
}
