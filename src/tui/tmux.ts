import { execFile } from "node:child_process";
import { statSync } from "node:fs";

const deadlineMs = 2_000;

/** The tmux server around this process, by its socket; undefined outside of one. Source: tmux(1), «TMUX». */
export const tmuxSocket = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env.TMUX?.split(",", 1)[0] || undefined;

/** Whether this tmux tells its panes of every change of focus. Never rejects; no answer is a no. */
export const tmuxTellsFocus = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    try {
      const args = ["-S", socket, "show-options", "-gv", "focus-events"];
      execFile("tmux", args, { timeout: deadlineMs }, (error, answer) =>
        resolve(error === null && answer.trim() === "on"),
      ).unref();
    } catch {
      resolve(false); // Bun throws where Node calls back
    }
  });

/** The socket is executable for its owner while a client is attached. Source: tmux, `server_update_socket`. */
export function isTmuxAttached(socket: string): boolean {
  try {
    return (statSync(socket).mode & 0o100) !== 0;
  } catch {
    return true; // no tmux of ours: it has nothing to say
  }
}
