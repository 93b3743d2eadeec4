import { expect, test } from "vitest";
import { multiplexerOf, protocolOf, type TerminalFacts } from "../../src/shared/terminal-protocol.ts";

test.each<[string, TerminalFacts, string]>([
  ["Ghostty", { env: { TERM_PROGRAM: "ghostty" } }, "osc777"],
  ["kitty", { env: { TERM: "xterm-kitty" } }, "osc99"],
  ["WezTerm", { env: { TERM_PROGRAM: "WezTerm" } }, "osc777"],
  ["iTerm2", { env: { TERM_PROGRAM: "iTerm.app" } }, "osc9"],
  ["foot", { env: { TERM: "foot" } }, "osc777"],
  ["a new foot, which answers", { env: { TERM: "foot" }, answeredOsc99: true }, "osc99"],
  ["the console", { env: { TERM: "linux" } }, "bell"],
  ["xterm", { env: { TERM: "xterm-256color" } }, "bell"],
  ["Alacritty", { env: { TERM: "alacritty" } }, "bell"],
  ["Terminal.app", { env: { TERM_PROGRAM: "Apple_Terminal" } }, "bell"],
  ["VS Code", { env: { TERM_PROGRAM: "vscode" } }, "bell"],
  ["GNOME Terminal", { env: { VTE_VERSION: "7600", TERM: "xterm-256color" } }, "bell"],
  ["Windows Terminal", { env: { WT_SESSION: "x" } }, "osc777"],
  ["Konsole", { env: { KONSOLE_VERSION: "230800" } }, "osc777"],
  ["Zed", { env: { TERM_PROGRAM: "zed" } }, "osc9"],
  ["a terminal that told its name", { env: { TERM: "xterm-256color" }, name: "kitty(0.36.1)" }, "osc99"],
  ["a name that differs from the environment", { env: { TERM_PROGRAM: "WezTerm" }, name: "iTerm2 3.5.0" }, "osc9"],
  [
    "tmux in kitty",
    { env: { TMUX: "/tmp/x,1,0", TERM: "tmux-256color", TERM_PROGRAM: "tmux", KITTY_WINDOW_ID: "1" } },
    "osc99",
  ],
  ["tmux in an unknown terminal", { env: { TMUX: "/tmp/x,1,0", TERM: "tmux-256color", TERM_PROGRAM: "tmux" } }, "bell"],
  ["zellij in kitty", { env: { ZELLIJ: "0", TERM: "xterm-kitty" } }, "bell"],
  ["ssh from kitty", { env: { SSH_CONNECTION: "a 1 b 2", TERM: "xterm-kitty" } }, "osc99"],
  ["ssh with another machine's marks", { env: { SSH_TTY: "/dev/pts/1", WT_SESSION: "x", TERM: "xterm" } }, "bell"],
  [
    "what the person forced for opencode itself",
    { env: { OPENTUI_NOTIFICATION_PROTOCOL: "osc9" }, name: "kitty" },
    "osc9",
  ],
  ["something forced that nobody knows", { env: { OPENTUI_NOTIFICATION_PROTOCOL: "smoke" }, name: "kitty" }, "osc99"],
  ["a zellij that answers", { env: { ZELLIJ: "0", TERM: "xterm-kitty" }, answeredOsc99: true }, "osc99"],
  ["nothing known", { env: {} }, "bell"],
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
