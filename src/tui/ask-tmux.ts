import { execFile } from "node:child_process";
import { tmuxSocket } from "./tmux.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Less than the server waits for an alert to be raised. */
const deadlineMs = 1_000;

/**
 * What tmux calls the terminal that shows it now, as that told its name (XTVERSION) and as terminfo has it: the
 * environment in a pane is that of the terminal tmux was once started in. None while nobody is attached; undefined
 * without tmux, or without an answer. Never rejects. Source: tmux(1), «FORMATS».
 */
export function askTmux(env: Environment): Promise<readonly string[] | undefined> {
  const socket = tmuxSocket(env);
  if (socket === undefined) return Promise.resolve(undefined);
  const pane = env.TMUX_PANE ? ["-t", env.TMUX_PANE] : [];
  const args = ["-S", socket, "display-message", "-p", ...pane, "#{client_termtype}\n#{client_termname}"];
  return new Promise((resolve) => {
    try {
      execFile("tmux", args, { timeout: deadlineMs }, (error, answer) =>
        resolve(error === null ? answer.split("\n").filter((name) => name !== "") : undefined),
      ).unref();
    } catch {
      resolve(undefined); // Bun throws where Node calls back
    }
  });
}
