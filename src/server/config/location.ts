import { posix, win32 } from "node:path";
import { relayDirectories } from "../../shared/rendezvous.ts";

/** Where we are: `process.env`, `process.platform`, `os.homedir()`; passed in, so that a test can be anywhere. */
export type Place = { env: Readonly<Record<string, string | undefined>>; platform: string; home: string };

const folder = "opencode-beckon";

/** The configuration file. */
export const configPath = (place: Place): string =>
  place.env.BECKON_CONFIG || paths(place).join(base(place, "XDG_CONFIG_HOME", ".config"), folder, "config.json");

/** Journal, log, mute. */
export const stateDir = (place: Place): string =>
  place.env.BECKON_STATE_DIR || paths(place).join(base(place, "XDG_STATE_HOME", ".local/state"), folder);

/** What lives as long as a login; the state folder where the system has no such place. */
export function runtimeDir(place: Place): string {
  const own = place.env.BECKON_RUNTIME_DIR;
  const system = place.env.XDG_RUNTIME_DIR;
  if (own) return own;
  return system && paths(place).isAbsolute(system) ? paths(place).join(system, folder) : stateDir(place);
}

/** Where relays announce themselves, best first: the terminal part looks by the same rule. */
export const relayDirs = ({ env, home }: Place): string[] => relayDirectories(env, home);

/** How long alerts are muted. */
export const mutePath = (place: Place): string => paths(place).join(stateDir(place), "mute.json");

const paths = ({ platform }: Place) => (platform === "win32" ? win32 : posix);

/** A relative path in an XDG variable is to be ignored. Source: XDG base directory specification 0.8. */
function base(place: Place, variable: string, fallback: string): string {
  const named = place.env[variable];
  return named && paths(place).isAbsolute(named) ? named : paths(place).join(place.home, fallback);
}
