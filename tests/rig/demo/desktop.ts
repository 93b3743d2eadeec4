import { readDaemonFacts } from "../../../src/server/cli/desktop/daemon-facts.ts";
import { sessionBusPaths } from "../../../src/server/delivery/bus-address.ts";
import { openBus } from "../../../src/server/delivery/open-bus.ts";
import { runProgram } from "../../../src/server/delivery/run-program.ts";
import { systemClock } from "../../../src/shared/clock.ts";

/** Where banners of this demo can appear, in words, and what the host needs to reach that screen. */
export type Desktop = {
  words: string;
  env: Record<string, string>;
  shows: boolean;
  /** Whether a banner that has become pointless can be taken from the screen. */
  takesBack: boolean;
};

type Environment = Record<string, string | undefined>;

const without = (why: string): Desktop => ({ words: `not shown: ${why}`, env: {}, shows: false, takesBack: false });

/** The home of the demo is isolated; only what leads to the person's screen is let through. */
export async function findDesktop(env: Environment, platform: NodeJS.Platform): Promise<Desktop> {
  if (platform === "darwin") return { words: "real ones, by macOS", env: {}, shows: true, takesBack: false };
  if (platform !== "linux") return without(`no desktop is known for ${platform} here`);
  const hold = setInterval(() => {}, 2 ** 30); // beckon's own sockets and timers keep no process alive
  const daemon = await readDaemonFacts({ env, clock: systemClock, openBus, runProgram });
  clearInterval(hold);
  if (daemon.state === "no-bus" || daemon.state === "no-library") return without("this machine has no session bus");
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return without("there is a session bus, but no display");
  if (daemon.state !== "answers") return without("there is a desktop, but no notification daemon answers");
  return { words: "real ones, on your desktop", env: reaching(env), shows: true, takesBack: true };
}

function reaching(env: Environment): Record<string, string> {
  const names = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"];
  const screen = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const bus = env.DBUS_SESSION_BUS_ADDRESS || `unix:path=${sessionBusPaths(env)[0]}`;
  return { ...screen, DBUS_SESSION_BUS_ADDRESS: bus };
}
