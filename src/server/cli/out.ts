import { cleanText, printable } from "../../shared/text.ts";
import { finishPaint } from "./paint.ts";

/** Where a command's words go. Only main.ts knows that these are the process's stdout and stderr. */
export type Out = {
  /** Results, as they are: a line brings its own line feed. */
  write(text: string): void;
  /** What went wrong, for the person and not for the next program in the pipe. */
  complain(text: string): void;
  /** Whole sequences of ours for the terminal, made of nothing that came from outside uncleaned. */
  control(sequence: string): void;
  /** False when piped, or when NO_COLOR is set. */
  colour: boolean;
  /** Width of the terminal in columns; undefined when piped. */
  columns?: number;
};

/** Nobody reads more, and a scrolled-away question is no longer answered. */
const complaint = { lines: 60, columns: 1_000 };

/**
 * The only way to print: whatever a text is made of (files, sockets, programs, daemons), it cannot act on the terminal.
 * Colours are put in by `paint`, and nothing else.
 */
export const createOut = (raw: Omit<Out, "control">): Out => ({
  ...raw,
  write: (text) => raw.write(finishPaint(printable(text))),
  complain: (text) => raw.complain(finishPaint(`${cleanText(text.trimEnd(), complaint)}\n`)),
  control: (sequence) => (sequence === "" ? undefined : raw.write(sequence)),
});
