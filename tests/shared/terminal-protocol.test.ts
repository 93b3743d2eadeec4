import { expect, test } from "vitest";
import { multiplexerOf, protocolOf, type TerminalFacts } from "../../src/shared/terminal-protocol.ts";

test.each<[string, TerminalFacts, string | undefined]>([
  ["Ghostty", { env: { TERM_PROGRAM: "ghostty" } }, "osc777"],
  ["kitty", { env: { TERM: "xterm-kitty" } }, "osc99"],
  ["WezTerm", { env: { TERM_PROGRAM: "WezTerm" } }, "osc777"],
  ["iTerm2", { env: { TERM_PROGRAM: "iTerm.app" } }, "osc9"],
  ["foot", { env: { TERM: "foot" } }, "osc777"],
  ["a new foot, which answers", { env: { TERM: "foot" }, answeredOsc99: true }, "osc99"],
  ["the console", { env: { TERM: "linux" } }, undefined],
  ["xterm", { env: { TERM: "xterm-256color" } }, undefined],
  ["Alacritty", { env: { TERM: "alacritty" } }, "bell"],
  ["Terminal.app", { env: { TERM_PROGRAM: "Apple_Terminal" } }, "bell"],
  ["VS Code", { env: { TERM_PROGRAM: "vscode" } }, undefined],
  ["GNOME Terminal", { env: { VTE_VERSION: "7600", TERM: "xterm-256color" } }, undefined],
  ["Windows Terminal", { env: { WT_SESSION: "x" } }, "osc777"],
  ["Konsole", { env: { KONSOLE_VERSION: "230800" } }, "osc777"],
  ["Zed", { env: { TERM_PROGRAM: "zed" } }, "osc9"],
  ["a terminal that told its name", { env: { TERM: "xterm-256color" }, names: ["kitty(0.36.1)"] }, "osc99"],
  ["a name that differs from the environment", { env: { TERM_PROGRAM: "WezTerm" }, names: ["iTerm2 3.5.0"] }, "osc9"],
  [
    "tmux in kitty",
    { env: { TMUX: "/tmp/x,1,0", TERM: "tmux-256color", TERM_PROGRAM: "tmux", KITTY_WINDOW_ID: "1" } },
    "osc99",
  ],
  [
    "tmux in an unknown terminal",
    { env: { TMUX: "/tmp/x,1,0", TERM: "tmux-256color", TERM_PROGRAM: "tmux" } },
    undefined,
  ],
  ["zellij in kitty", { env: { ZELLIJ: "0", TERM: "xterm-kitty" } }, "bell"],
  [
    "tmux that tells what is around it",
    { env: { TMUX: "x", KITTY_WINDOW_ID: "1" }, names: ["ghostty 1.2.0"] },
    "osc777",
  ],
  ["tmux that knows no more than a terminfo name", { env: { TMUX: "x" }, names: ["", "xterm-ghostty"] }, "osc777"],
  ["ssh to a tmux in kitty", { env: { TMUX: "x", SSH_TTY: "y" }, names: ["kitty(0.42.1)", "xterm-kitty"] }, "osc99"],
  ["an xterm that told its name", { env: { KITTY_WINDOW_ID: "1" }, names: ["XTerm(379)"] }, "bell"],
  ["screen with a terminfo name of its own", { env: { STY: "1.a", TERM: "screen.xterm-kitty" } }, "osc99"],
  ["ssh from kitty", { env: { SSH_CONNECTION: "a 1 b 2", TERM: "xterm-kitty" } }, "osc99"],
  ["ssh with another machine's marks", { env: { SSH_TTY: "/dev/pts/1", WT_SESSION: "x", TERM: "xterm" } }, undefined],
  [
    "what the person forced for opencode itself",
    { env: { OPENTUI_NOTIFICATION_PROTOCOL: "osc9" }, names: ["kitty"] },
    "osc9",
  ],
  [
    "something forced that nobody knows",
    { env: { OPENTUI_NOTIFICATION_PROTOCOL: "smoke" }, names: ["kitty"] },
    "osc99",
  ],
  ["a zellij that answers", { env: { ZELLIJ: "0", TERM: "xterm-kitty" }, answeredOsc99: true }, "osc99"],
  ["nothing known", { env: {} }, undefined],
])("%s", (_, facts, protocol) => {
  expect(protocolOf(facts)).toBe(protocol);
});

test.each([
  [{ TMUX: "/tmp/tmux-1/default,1,0" }, "tmux"],
  [{ STY: "123.pts" }, "screen"],
  [{ TERM: "screen-256color" }, "screen"],
  [{ TMUX: "x", TERM: "screen" }, "tmux"],
  [{ TERM: "xterm" }, undefined],
])("between us and the terminal with %j: %s", (env, multiplexer) => {
  expect(multiplexerOf(env)).toBe(multiplexer);
});
