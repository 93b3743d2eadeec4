import { execFile } from "node:child_process";
import { guarded } from "../shared/guard.ts";

/** Less than a server waits for an alert to be raised. */
const deadlineMs = 1_500;

/** The tmux server around this process, by its socket; undefined outside of one. Source: tmux(1), «TMUX». */
export const tmuxSocket = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  env.TMUX?.split(",", 1)[0] || undefined;

/** Whether this tmux tells its panes of every change of focus; undefined without an answer. Never rejects. */
export async function tmuxTellsFocus(socket: string): Promise<boolean | undefined> {
  const answer = await ask(socket, "show-options", "-gv", "focus-events");
  return answer === undefined ? undefined : answer.trim() === "on";
}

/**
 * What tmux calls the terminal that shows it now, as that told its name (XTVERSION) and as terminfo has it: the
 * environment in a pane is that of the terminal tmux was once started in. No name while nobody is attached; undefined
 * without an answer. Never rejects. Source: tmux(1), «FORMATS».
 */
export async function terminalAroundTmux(socket: string, pane?: string): Promise<readonly string[] | undefined> {
  const target = pane ? ["-t", pane] : [];
  const answer = await ask(socket, "display-message", "-p", ...target, "#{client_termtype}\n#{client_termname}");
  return answer?.split("\n").filter((name) => name !== "");
}

/** The process of the client that shows this pane; undefined without one. Never rejects. */
export async function tmuxClient(socket: string, pane?: string): Promise<number | undefined> {
  const target = pane ? ["-t", pane] : [];
  const pid = Number(await ask(socket, "display-message", "-p", ...target, "#{client_pid}"));
  return pid > 0 ? pid : undefined;
}

/**
 * Whether any terminal shows this pane, by its window or, before tmux 3.1, by its session. Without an answer: yes; also
 * where the pane is not on `tty`: a terminal opened from a pane inherits its environment. Never rejects.
 */
export async function isPaneShown(socket: string, pane: string, tty?: string): Promise<boolean> {
  const answer = await ask(socket, "display-message", "-p", "-t", pane, `#{pane_tty} ${viewers}`);
  const [paneTTY, count = ""] = answer?.trim().split(" ") ?? [];
  return !/^0+$/.test(count) || (tty !== undefined && tty !== paneTTY);
}
const viewers = "#{window_active_clients}#{session_attached}";

const ask = (socket: string, ...args: string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    try {
      const told = guarded("tmux", (error: Error | null, answer: string) =>
        resolve(error === null ? answer : undefined),
      );
      execFile("tmux", ["-S", socket, ...args], { timeout: deadlineMs }, told).unref();
    } catch {
      resolve(undefined); // Bun throws where Node calls back
    }
  });
