import type { Environment } from "./find-program.ts";

/**
 * Socket paths of a D-Bus address list, in order; an abstract one begins with NUL. Only `unix:` is spoken: a session
 * bus over TCP is rare, and an address that would start a program is never followed.
 * Source: D-Bus specification, «Server Addresses».
 */
export function socketPaths(address: string): string[] {
  return address.split(";").flatMap((entry) => {
    const [transport, rest] = splitOnce(entry, ":");
    if (transport !== "unix") return [];
    const values = new Map(rest.split(",").map((pair) => splitOnce(pair, "=")));
    const path = percentDecoded(values.get("path"));
    const abstract = percentDecoded(values.get("abstract"));
    if (path) return [path];
    return abstract ? [`\0${abstract}`] : [];
  });
}

/** The session bus: what the environment names, else where systemd puts it. Never starts one. */
export function sessionBusPaths(env: Environment): string[] {
  if (env.DBUS_SESSION_BUS_ADDRESS) return socketPaths(env.DBUS_SESSION_BUS_ADDRESS);
  return env.XDG_RUNTIME_DIR ? [`${env.XDG_RUNTIME_DIR}/bus`] : [];
}

/** The system bus, where logind lives. */
export const systemBusPaths = (env: Environment): string[] =>
  socketPaths(
    env.DBUS_SYSTEM_BUS_ADDRESS ?? "unix:path=/run/dbus/system_bus_socket;unix:path=/var/run/dbus/system_bus_socket",
  );

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** Values are percent-encoded; a malformed one names nothing. */
function percentDecoded(value: string | undefined): string | undefined {
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
