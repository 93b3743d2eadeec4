/** Where a command's words go. Only main.ts knows that these are the process's stdout and stderr. */
export type Out = {
  /** Results, as they are: a line brings its own line feed. */
  write(text: string): void;
  /** What went wrong, for the person and not for the next program in the pipe. */
  complain(text: string): void;
  /** False when piped, or when NO_COLOR is set. */
  colour: boolean;
  /** Width of the terminal in columns; undefined when piped. */
  columns?: number;
};
