import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { packageRoot } from "./package-root.ts";
import { knowsFocus, type TerminalKind } from "./terminal-kinds.ts";
import { waitFor, waitUntil } from "./wait-for.ts";

const told = z.discriminatedUnion("ev", [
  z.object({ ev: z.literal("spawned"), pid: z.number() }),
  z.object({ ev: z.literal("output"), data: z.string() }),
  z.object({ ev: z.literal("exit"), code: z.nullable(z.number()), signal: z.nullable(z.number()) }),
]);

export type TerminalExit = { code: number | null; signal: number | null };

/** A program on a real pty, and the window around it. */
export type Terminal = {
  pid: number;
  /** Everything printed so far, byte for byte (latin1). */
  output(): string;
  /** Whether the program has switched focus reporting (mode 1004) on, by the last it said about it. */
  reportsFocus(): boolean;
  /** The window got or lost the focus. Like a real one it tells the program only while that wants to know. */
  focus(): void;
  blur(): void;
  write(bytes: string): void;
  resize(rows: number, cols: number): void;
  signal(name: NodeJS.Signals): void;
  exited: Promise<TerminalExit>;
  /** SIGTERM, after 5 s SIGKILL, by pid; tells whether it had to be killed. */
  end(): Promise<TerminalExit & { killed: boolean }>;
};

export type TerminalOptions = {
  cwd: string;
  env: Record<string, string>;
  /** False: a terminal such as tmux 3.3, which does not answer whether it knows mode 1004. */
  answersFocusQuery?: boolean;
  /** Which terminal it plays, by its variables and its replies; absent: one that tells nothing of itself. */
  kind?: TerminalKind;
  rows?: number;
  cols?: number;
};

/** Opens a window with this program in it. */
export async function openTerminal(argv: string[], options: TerminalOptions): Promise<Terminal> {
  const script = join(packageRoot(), "tests/rig/host/pseudo-terminal.py");
  const keeper = spawn("python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
  const order = (body: object) => keeper.stdin.write(`${JSON.stringify(body)}\n`);
  let [pid, output] = [0, ""];
  let ended: TerminalExit | undefined;
  keeper.stdin.on("error", () => {}); // The program ended while we were still talking to it.
  createInterface({ input: keeper.stdout }).on("line", (line) => {
    const event = told.parse(JSON.parse(line));
    if (event.ev === "spawned") pid = event.pid;
    else if (event.ev === "output") output += Buffer.from(event.data, "base64").toString("latin1");
    else ended = { code: event.code, signal: event.signal };
  });
  const exited = new Promise<TerminalExit>((resolve) => {
    keeper.once("close", () => resolve(ended ?? { code: null, signal: null }));
    keeper.once("error", () => resolve({ code: null, signal: null }));
  });
  const { cwd, rows = 40, cols = 120, answersFocusQuery = true, kind } = options;
  const env = { TERM: "xterm-256color", ...options.env, ...kind?.env };
  const answers = [...(answersFocusQuery ? [knowsFocus] : []), ...(kind?.replies ?? [])];
  order({ op: "spawn", argv, cwd, env, rows, cols, answers });
  await Promise.race([waitUntil("a terminal", () => pid !== 0), exited]);
  if (pid === 0) throw new Error("python3 could not open a terminal");

  const write = (bytes: string) => order({ op: "write", data: Buffer.from(bytes, "utf8").toString("base64") });
  const signal = (name: NodeJS.Signals) => order({ op: "signal", number: constants.signals[name] });
  const reportsFocus = () => output.lastIndexOf("\x1b[?1004h") > output.lastIndexOf("\x1b[?1004l");
  const window = (bytes: string) => (reportsFocus() ? write(bytes) : undefined);
  return {
    pid,
    output: () => output,
    reportsFocus,
    focus: () => window("\x1b[I"),
    blur: () => window("\x1b[O"),
    write,
    resize: (newRows, newCols) => order({ op: "resize", rows: newRows, cols: newCols }),
    signal,
    exited,
    async end() {
      let killed = false;
      const late = setTimeout(() => {
        killed = true;
        signal("SIGKILL");
      }, 5_000);
      if (ended === undefined) signal("SIGTERM");
      const exit = await exited;
      clearTimeout(late);
      return { ...exit, killed };
    },
  };
}

/** Waits for these bytes in what the program printed. */
export const printedBytes = (terminal: Terminal, bytes: string): Promise<true> =>
  waitFor(`${JSON.stringify(bytes)} on the screen`, () => (terminal.output().includes(bytes) ? true : undefined));
