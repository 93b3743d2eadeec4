import { tmuxSocket } from "./tmux.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A program and its arguments. `window`: it raises the window; otherwise it only turns to the right pane inside it. */
export type WayForward = { program: string; args: readonly string[]; window: boolean };

/** macOS puts this into the environment of whatever an application starts. */
const bundleVariable = "__CFBundleIdentifier";

/**
 * How the terminal around this process can be brought to the front, best first, by what it told in the environment.
 * Over ssh the window is on another machine: only tmux panes are left. Sources: tmux(1), kitty's and WezTerm's remote
 * control, wmctrl(1), open(1).
 */
export function waysForward(env: Environment, platform: string): WayForward[] {
  const ways: WayForward[] = [...tmux(env)];
  if (env.SSH_CONNECTION || env.SSH_TTY) return ways;
  const { KITTY_WINDOW_ID, KITTY_LISTEN_ON, WEZTERM_PANE, WINDOWID, DISPLAY } = env;
  if (KITTY_WINDOW_ID && KITTY_LISTEN_ON) {
    const args = ["@", "--to", KITTY_LISTEN_ON, "focus-window", "--match", `id:${KITTY_WINDOW_ID}`];
    ways.push({ program: "kitty", args, window: true });
  }
  if (WEZTERM_PANE) {
    ways.push({ program: "wezterm", args: ["cli", "activate-pane", "--pane-id", WEZTERM_PANE], window: false });
  }
  if (platform === "darwin" && env[bundleVariable]) {
    ways.push({ program: "/usr/bin/open", args: ["-b", env[bundleVariable]], window: true });
  }
  if (DISPLAY && WINDOWID && /^\d+$/.test(WINDOWID)) {
    ways.push({ program: "wmctrl", args: ["-i", "-a", `0x${Number(WINDOWID).toString(16)}`], window: true });
  }
  return ways;
}

function tmux(env: Environment): WayForward[] {
  const [socket, { TMUX_PANE }] = [tmuxSocket(env), env];
  if (!socket || !TMUX_PANE) return [];
  return ["select-window", "select-pane"].map((command) => ({
    program: "tmux",
    args: ["-S", socket, command, "-t", TMUX_PANE],
    window: false,
  }));
}
