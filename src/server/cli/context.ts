import type { Place } from "../config/location.ts";
import type { RunProgram } from "../delivery/run-program.ts";
import type { Out } from "./out.ts";

/** What a command knows of the machine. Tests hand in a folder of their own. */
export type Context = {
  out: Out;
  place: Place;
  cwd: string;
  /** Where this copy of opencode-beckon lies: the folder with its package.json. */
  packageRoot: string;
  version: string;
  runProgram: RunProgram;
  /** A person can be at both ends: what it reads and what it writes is a terminal. */
  atTerminal: boolean;
  /** Epoch ms. */
  wall: () => number;
  /** Aborted by Ctrl-C, from the first look at it on: only what follows, watches or records looks. Else it ends us at once. */
  readonly signal: AbortSignal;
};
