import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where banners of this demo can appear: what the host needs to reach that desktop, or why there is none. */
export type Desktop =
  | { there: true; words: string; env: Record<string, string> }
  | { there: false; words: string; env: Record<string, string> };

type Environment = Record<string, string | undefined>;

const present = (env: Environment, names: string[]) =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

function busAddress(env: Environment): string | undefined {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS;
  const socket = env.XDG_RUNTIME_DIR && join(env.XDG_RUNTIME_DIR, "bus");
  return socket && existsSync(socket) ? `unix:path=${socket}` : undefined;
}

/** The home of the demo is isolated; only what leads to the person's screen is let through. */
export function findDesktop(env: Environment, platform: NodeJS.Platform): Desktop {
  if (platform === "darwin") return { there: true, words: "real ones, by macOS", env: {} };
  if (platform !== "linux")
    return { there: false, words: `not shown: no desktop is known for ${platform} here`, env: {} };
  const bus = busAddress(env);
  const screen = present(env, ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"]);
  if (bus === undefined) return { there: false, words: "not shown: this machine has no session bus", env: {} };
  if (env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined)
    return { there: false, words: "not shown: there is a session bus, but no display", env: {} };
  return { there: true, words: "real ones, on your desktop", env: { ...screen, DBUS_SESSION_BUS_ADDRESS: bus } };
}
