type Environment = Readonly<Record<string, string | undefined>>;

/** A program and its arguments: what raises a window, what turns to the right pane inside it, what does both. */
export type WayForward = { program: string; args: readonly string[]; does: "window" | "pane" | "both" };

/** macOS puts this into the environment of whatever an application starts. */
const bundleVariable = "__CFBundleIdentifier";

const pane = (program: string, ...args: string[]): WayForward => ({ program, args, does: "pane" });
const window = (program: string, ...args: string[]): WayForward => ({ program, args, does: "window" });

/**
 * How the terminal around this process can be brought to the front, best first, by what it told in the environment.
 * `pids`: this process and those above it, among them the terminal. Over ssh the window is on another machine: only
 * tmux panes are left. Sources: tmux(1), kitty's and WezTerm's remote control, swaymsg(1), i3's user guide, Hyprland's
 * dispatchers, wmctrl(1), xdotool(1), open(1).
 */
export function waysForward(env: Environment, platform: string, pids: readonly number[] = []): WayForward[] {
  if (env.SSH_CONNECTION || env.SSH_TTY) return tmux(env);
  return [
    ...tmux(env),
    ...wezterm(env),
    ...wayland(env, pids),
    ...i3(env),
    ...kitty(env),
    ...mac(env, platform),
    ...x11(env),
  ];
}

function tmux({ TMUX, TMUX_PANE }: Environment): WayForward[] {
  const socket = TMUX?.split(",", 1)[0];
  if (!socket || !TMUX_PANE) return [];
  return ["select-window", "select-pane"].map((command) => pane("tmux", "-S", socket, command, "-t", TMUX_PANE));
}

const wezterm = ({ WEZTERM_PANE }: Environment): WayForward[] =>
  WEZTERM_PANE ? [pane("wezterm", "cli", "activate-pane", "--pane-id", WEZTERM_PANE)] : [];

/** It also asks for the focus, which not every desktop grants. */
function kitty({ KITTY_WINDOW_ID, KITTY_LISTEN_ON }: Environment): WayForward[] {
  if (!KITTY_WINDOW_ID || !KITTY_LISTEN_ON) return [];
  const args = ["@", "--to", KITTY_LISTEN_ON, "focus-window", "--match", `id:${KITTY_WINDOW_ID}`];
  return [{ program: "kitty", args, does: "both" }];
}

/** A window is known by its process there; which of ours that is, only trying tells. */
function wayland({ SWAYSOCK, HYPRLAND_INSTANCE_SIGNATURE }: Environment, pids: readonly number[]): WayForward[] {
  if (SWAYSOCK) return pids.map((pid) => window("swaymsg", `[pid=${pid}] focus`));
  if (!HYPRLAND_INSTANCE_SIGNATURE) return [];
  return pids.map((pid) => window("hyprctl", "dispatch", "focuswindow", `pid:${pid}`));
}

const i3 = (env: Environment): WayForward[] => {
  const id = windowID(env);
  const runs = Boolean(env.I3SOCK) || /\bi3\b/i.test(env.XDG_CURRENT_DESKTOP ?? "");
  return id !== undefined && runs ? [window("i3-msg", `[id="${id}"] focus`)] : [];
};

const mac = (env: Environment, platform: string): WayForward[] => {
  const bundle = env[bundleVariable];
  return platform === "darwin" && bundle ? [window("/usr/bin/open", "-b", bundle)] : [];
};

function x11(env: Environment): WayForward[] {
  const id = windowID(env);
  if (id === undefined) return [];
  return [window("wmctrl", "-i", "-a", `0x${id.toString(16)}`), window("xdotool", "windowactivate", String(id))];
}

const windowID = ({ DISPLAY, WINDOWID }: Environment): number | undefined =>
  DISPLAY && WINDOWID && /^\d+$/.test(WINDOWID) ? Number(WINDOWID) : undefined;
