import type { Environment } from "./find-program.ts";

export type Platform = "linux" | "darwin" | "win32" | "wsl" | "other";

/** `release` is the text of /proc/sys/kernel/osrelease, undefined where there is none. */
export function platformOf(system: string, env: Environment, release: string | undefined): Platform {
  if (system === "darwin" || system === "win32") return system;
  if (system !== "linux") return "other";
  const isWSL = Boolean(env.WSL_DISTRO_NAME || env.WSL_INTEROP) || /microsoft/i.test(release ?? "");
  return isWSL ? "wsl" : "linux";
}

/**
 * Whether somebody can sit in front of this machine's desktop: not over ssh (the person is elsewhere), not without a
 * session bus. False means: let a terminal raise the alert.
 */
export function hasDesktop(platform: Platform, env: Environment, hasBus: () => boolean = () => false): boolean {
  if (env.SSH_CONNECTION || env.SSH_TTY) return false;
  if (platform === "darwin" || platform === "win32" || platform === "wsl") return true;
  if (platform !== "linux") return false;
  // A service of the person's own session has no DISPLAY, and reaches their bus all the same.
  return Boolean(env.DBUS_SESSION_BUS_ADDRESS || env.DISPLAY || env.WAYLAND_DISPLAY) || hasBus();
}
