import type { Out } from "./out.ts";

/** What a command knows of the machine. Tests hand in a folder of their own. */
export type Context = {
  out: Out;
  environment: Record<string, string | undefined>;
  platform: NodeJS.Platform;
  home: string;
  cwd: string;
  /** Where this copy of opencode-beckon lies: the folder with its package.json. */
  packageRoot: string;
  version: string;
  /** Aborted by Ctrl-C: what follows or watches ends then. */
  signal: AbortSignal;
};
