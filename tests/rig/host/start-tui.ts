import type { IsolatedHome } from "./isolated-home.ts";
import { hostProgram } from "./start-server.ts";
import { openTerminal, type Terminal, type TerminalOptions } from "./terminal.ts";

type TuiOptions = Pick<TerminalOptions, "answersFocusQuery" | "kind" | "rows" | "cols"> & {
  env?: Record<string, string>;
  /** The session it opens with; absent: the home view. */
  sessionID?: string;
};

const inWindow = (home: IsolatedHome, args: string[], { env, sessionID, ...options }: TuiOptions): Promise<Terminal> =>
  openTerminal([hostProgram(), ...args, ...(sessionID === undefined ? [] : ["--session", sessionID])], {
    ...options,
    cwd: home.project,
    env: { ...home.env, ...env },
  });

/** `opencode`: a terminal with a server of its own in the same process. */
export const startTui = (home: IsolatedHome, options: TuiOptions = {}): Promise<Terminal> =>
  inWindow(home, [], options);

/** `opencode attach URL`: a terminal on somebody else's server. */
export const attachTui = (home: IsolatedHome, url: string, options: TuiOptions = {}): Promise<Terminal> =>
  inWindow(home, ["attach", url], options);
