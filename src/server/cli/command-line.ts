import { type Command, InvalidArgumentError } from "commander";
import type { Context } from "./context.ts";
import { exitCode } from "./exit-code.ts";
import type { Out } from "./out.ts";

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

const longestSeconds = 86_400;

/** At most a day: what is more than a timer can count would end at once. */
export function secondsOfADay(text: string): number {
  const count = wholeNumber(text);
  if (count > longestSeconds) throw new InvalidArgumentError(`Expected at most ${longestSeconds}, a day.`);
  return count;
}

/** A short answer: a misuse is a complaint, anything else the result. @returns the exit code */
export function tell(answer: { text: string; exitCode: number }, out: Out): number {
  if (answer.exitCode === exitCode.usage) out.complain(`beckon: ${answer.text}\n`);
  else out.write(`${answer.text}\n`);
  return answer.exitCode;
}
