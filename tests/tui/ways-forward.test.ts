import { describe, expect, test } from "vitest";
import { waysForward } from "../../src/tui/ways-forward.ts";

const words = (env: Record<string, string>, platform = "linux", pids: number[] = []) =>
  waysForward(env, platform, pids).map(({ program, args }) => [program, ...args].join(" "));

describe("bringing the terminal to the front", () => {
  test.each([
    ["nothing known: nothing is run", {}, []],
    [
      "X11 by the window's own id",
      { DISPLAY: ":0", WINDOWID: "31457283" },
      ["wmctrl -i -a 0x1e00003", "xdotool windowactivate 31457283"],
    ],
    [
      "i3 by that id too, and first: it would only mark a window on another workspace",
      { DISPLAY: ":0", WINDOWID: "7", I3SOCK: "/run/i3" },
      ['i3-msg [id="7"] focus', "wmctrl -i -a 0x7", "xdotool windowactivate 7"],
    ],
    ["a window id that is none is not passed on", { DISPLAY: ":0", WINDOWID: "31457283; rm" }, []],
    [
      "kitty by its remote control, where that is on",
      { KITTY_WINDOW_ID: "3", KITTY_LISTEN_ON: "unix:/tmp/k" },
      ["kitty @ --to unix:/tmp/k focus-window --match id:3"],
    ],
    ["kitty without remote control: nothing", { KITTY_WINDOW_ID: "3" }, []],
    ["WezTerm by its pane", { WEZTERM_PANE: "7" }, ["wezterm cli activate-pane --pane-id 7"]],
    [
      "tmux: the window and the pane, on the server it runs in",
      { TMUX: "/tmp/tmux-1/default,12,0", TMUX_PANE: "%4" },
      ["tmux -S /tmp/tmux-1/default select-window -t %4", "tmux -S /tmp/tmux-1/default select-pane -t %4"],
    ],
    [
      "over ssh the window is elsewhere: only tmux is turned",
      { SSH_CONNECTION: "1", DISPLAY: ":0", WINDOWID: "5", TMUX: "/s,1,0", TMUX_PANE: "%1" },
      ["tmux -S /s select-window -t %1", "tmux -S /s select-pane -t %1"],
    ],
  ])("%s", (_, env, ways) => {
    expect(words(env)).toEqual(ways);
  });

  test.each([
    ["sway", { SWAYSOCK: "/run/sway", WAYLAND_DISPLAY: "wayland-1" }, "swaymsg [pid=3] focus", "swaymsg [pid=2] focus"],
    [
      "Hyprland",
      { HYPRLAND_INSTANCE_SIGNATURE: "x" },
      "hyprctl dispatch focuswindow pid:3",
      "hyprctl dispatch focuswindow pid:2",
    ],
  ] as const)("%s by the processes above, nearest first", (_, env, first, second) => {
    expect(words(env, "linux", [3, 2])).toEqual([first, second]);
  });

  test("macOS by the application that started the terminal", () => {
    expect(words({ __CFBundleIdentifier: "com.googlecode.iterm2" }, "darwin")).toEqual([
      "/usr/bin/open -b com.googlecode.iterm2",
    ]);
    expect(words({ __CFBundleIdentifier: "com.googlecode.iterm2" }, "linux")).toEqual([]);
  });
});
