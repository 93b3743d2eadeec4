export type TerminalProtocol = "osc99" | "osc777" | "osc9" | "bell";

export type TerminalFacts = {
  env: Readonly<Record<string, string | undefined>>;
  /** As the terminal told its name (XTVERSION), or tmux that of the one around it: worth more than the environment. */
  names?: readonly string[];
  /** It answered the OSC 99 query. */
  answeredOsc99?: boolean;
};

/** In a terminal of several ways the one that says most. Source: contracts, «Who shows what (2026)». */
const byName: readonly [RegExp, TerminalProtocol][] = [
  [/^kitty/i, "osc99"],
  [/^foot/i, "osc777"], // OSC 99 since 1.18: then it answers the query
  [/^ghostty/i, "osc777"],
  [/^wezterm/i, "osc777"],
  [/^konsole/i, "osc777"],
  [/^iterm/i, "osc9"],
  [/^zed/i, "osc9"],
  [/^windows.?terminal/i, "osc777"],
  // Known to show nothing, whatever marks of other terminals stand in the environment.
  [/^(?:apple.?terminal|alacritty|xterm\()/i, "bell"],
];

/** The host's own variable: what the person forced there holds here too. Source: OpenTUI, `OPENTUI_NOTIFICATION_PROTOCOL`. */
const forced = new Map<string, TerminalProtocol>([
  ["osc99", "osc99"],
  ["osc777", "osc777"],
  ["osc9", "osc9"],
]);

/** How this terminal shows a notification; undefined where nothing is known of it. */
export function protocolOf({ env, names = [], answeredOsc99 }: TerminalFacts): TerminalProtocol | undefined {
  const wanted = forced.get(env.OPENTUI_NOTIFICATION_PROTOCOL ?? "");
  if (wanted !== undefined) return wanted;
  if (answeredOsc99) return "osc99"; // the only one that replaces and takes back
  if (env.ZELLIJ) return "bell"; // it drops the others before 2026-08, and does not tell its version
  for (const name of [...names, ...(isRemote(env) ? [] : namesIn(env)), env.TERM]) {
    const bare = name?.replace(/^(?:screen\.)?(?:xterm-)?/, "") ?? ""; // as terminfo has it: screen.xterm-kitty
    const known = byName.find(([pattern]) => pattern.test(bare));
    if (known) return known[1];
  }
  return undefined;
}

/** `undefined`: sequences reach the terminal as they are. */
export function multiplexerOf(env: TerminalFacts["env"]): "tmux" | "screen" | undefined {
  if (env.TMUX) return "tmux";
  return env.STY || /^screen/.test(env.TERM ?? "") ? "screen" : undefined;
}

/** Over ssh the environment is another machine's; TERM alone travels. */
const isRemote = (env: TerminalFacts["env"]): boolean => Boolean(env.SSH_CONNECTION || env.SSH_TTY);

/** Inside tmux TERM_PROGRAM is tmux's own; the marks of the terminal it was started in remain. */
const namesIn = (env: TerminalFacts["env"]): (string | undefined)[] => [
  env.TERM_PROGRAM,
  env.LC_TERMINAL,
  env.KITTY_WINDOW_ID && "kitty",
  env.GHOSTTY_RESOURCES_DIR && "ghostty",
  env.WEZTERM_PANE && "wezterm",
  env.ITERM_SESSION_ID && "iterm",
  env.WT_SESSION && "windows terminal",
  env.KONSOLE_VERSION && "konsole",
];
