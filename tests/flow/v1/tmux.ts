import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { IsolatedHome } from "../../rig/host/isolated-home.ts";
import { shellWord } from "../../rig/host/shell-words.ts";
import { openTerminal, type Terminal } from "../../rig/host/terminal.ts";
import type { TerminalKind } from "../../rig/host/terminal-kinds.ts";
import { waitUntil } from "../../rig/host/wait-for.ts";

const runFile = promisify(execFile);

/** A tmux of its own, with one window, and a terminal that shows it. */
export type Tmux = {
  window: Terminal;
  /** Another terminal that shows it. */
  attach(): Promise<Terminal>;
  run(...args: string[]): Promise<string>;
  /** The program in the first pane. */
  pid(): Promise<number>;
  close(): Promise<void>;
};

export type TmuxOptions = {
  /** Its own options by name; `exit-empty` is on. */
  set: Record<string, "on" | "off">;
  /** Added to the environment of its panes. */
  env?: Record<string, string>;
  /** The terminals around it. */
  kind?: TerminalKind;
};

let serial = 0;

/** Runs `argv` in the first pane, then attaches a terminal to it. */
export async function startTmux(home: IsolatedHome, argv: string[], { set, env, kind }: TmuxOptions): Promise<Tmux> {
  serial += 1;
  const socket = join(home.env.XDG_RUNTIME_DIR ?? home.root, `tmux-${serial}`);
  const config = join(home.root, `tmux-${serial}.conf`);
  const lines = Object.entries({ ...set, "exit-empty": "on" }).map(([name, value]) => `set -g ${name} ${value}\n`);
  writeFileSync(config, lines.join(""));
  const options = { cwd: home.project, env: { ...home.env, ...env }, ...(kind === undefined ? {} : { kind }) };
  const run = async (...args: string[]) => (await runFile("tmux", ["-S", socket, ...args], options)).stdout;
  await run("-f", config, "new-session", "-d", "-x", "120", "-y", "40", `exec ${argv.map(shellWord).join(" ")}`);
  const windows: Terminal[] = [];
  async function attach(): Promise<Terminal> {
    const window = await openTerminal(["/usr/bin/env", "tmux", "-S", socket, "attach"], options);
    windows.push(window);
    await waitUntil("a client of tmux", async () => (await run("list-clients")) !== "");
    return window;
  }
  return {
    window: await attach(),
    attach,
    run,
    pid: async () => Number(await run("display-message", "-p", "-t", ":0.0", "#{pane_pid}")),
    async close() {
      await run("kill-server");
      for (const window of windows) await window.end();
    },
  };
}
