import { accessSync, appendFileSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { describe, expect, test } from "vitest";

/** Program → the Debian package that has it. A program outside PATH stands with its whole path. */
const packages = {
  chromium: "chromium",
  "dbus-daemon": "dbus",
  dunst: "dunst",
  "espeak-ng": "espeak-ng",
  foot: "foot",
  gsettings: "libglib2.0-bin",
  i3: "i3-wm",
  import: "imagemagick",
  kitty: "kitty",
  "mate-screensaver": "mate-screensaver",
  "notify-send": "libnotify-bin",
  openssl: "openssl",
  pactl: "pulseaudio-utils",
  ps: "procps",
  pulseaudio: "pulseaudio",
  python3: "python3",
  screen: "screen",
  setpriv: "util-linux",
  sox: "sox",
  sway: "sway",
  ssh: "openssh-client",
  sshd: "openssh-server",
  tmux: "tmux",
  "xfconf-query": "xfconf",
  wmctrl: "wmctrl",
  xdotool: "xdotool",
  Xvfb: "xvfb",
  "/usr/lib/notification-daemon/notification-daemon": "notification-daemon",
  "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd": "xfce4-notifyd",
  "/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd": "xfconf",
} as const;

export type Program = keyof typeof packages;

/**
 * `describe` for tests that want real programs: `needs("dunst", "Xvfb")("a real daemon", () => { … })`.
 * Where one is missing the block is skipped and its title names the packages; in CI it fails instead, unless
 * .ci/run could not install that package (BECKON_MAY_SKIP).
 */
export function needs(...programs: [Program, ...Program[]]) {
  const missing = [...new Set(programs.filter((program) => !isInstalled(program)).map((program) => packages[program]))];
  if (missing.length === 0) return (title: string, body: () => void) => describe(title, body);
  report(missing);
  const names = missing.join(", ");
  if (missing.some(isDemanded)) {
    return (title: string, _body: () => void) =>
      test(`${title}: needs ${names}`, () => expect.fail(`not installed: ${names}`));
  }
  return (title: string, body: () => void) => describe.skip(`${title} (skipped: needs ${names})`, body);
}

function isInstalled(program: Program): boolean {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"]; // sshd is not in a user's PATH
  return isAbsolute(program) ? isExecutable(program) : folders.some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDemanded(name: string): boolean {
  const mayBeMissing = (process.env.BECKON_MAY_SKIP ?? "").split(" ");
  return Boolean(process.env.CI) && !mayBeMissing.includes(name);
}

/** scripts/test.mjs prints at its end what was missing. */
function report(missing: string[]): void {
  const log = process.env.BECKON_NEEDS_LOG;
  if (log) appendFileSync(log, missing.map((name) => `${name}\n`).join(""));
}
