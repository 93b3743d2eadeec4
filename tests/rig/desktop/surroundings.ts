import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Child, printed, startChild } from "../host/child.ts";
import { waitFor } from "../host/wait-for.ts";
import { type DaemonName, startDaemon } from "./daemon.ts";
import { startPrivateBus } from "./private-bus.ts";

/** The processes of one desktop, in a folder of their own. */
export function createSurroundings() {
  const folder = mkdtempSync(join(tmpdir(), "beckon-desktop-"));
  const env = environmentIn(folder);
  const children: Child[] = [];
  const started = (child: Child) => {
    children.push(child);
    return child;
  };
  const run = async (program: string, ...args: string[]) =>
    (await promisify(execFile)(program, args, { env, timeout: 30_000 })).stdout;
  const isOwned = async () =>
    (await run("dbus-send", "--session", "--print-reply=literal", ...nameHasOwner)).includes("true");

  return {
    folder,
    env,
    run,
    async startBus() {
      const { address, child } = await startPrivateBus(join(folder, "run"), env);
      env.DBUS_SESSION_BUS_ADDRESS = address;
      return { address, child: started(child) };
    },
    async startScreen() {
      const args = ["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"];
      const screen = started(startChild("Xvfb", args, { cwd: folder, env }));
      env.DISPLAY = `:${(await printed(screen, /^\d+$/m))[0]}`;
    },
    async startDaemon(name: DaemonName) {
      const child = started(startDaemon(name, folder, env));
      await waitFor(
        () => `${name} to own its name: ${child.stderr()}`,
        async () => (await isOwned()) || undefined,
      );
      return child;
    },
    nameIsFree: () => waitFor("the daemon's name to be free", async () => ((await isOwned()) ? undefined : true)),
    async end() {
      for (const child of children.reverse()) {
        signalIfAlive(child, "SIGCONT"); // a stopped one would not answer a SIGTERM
        await child.end();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function signalIfAlive({ pid }: Child, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

const nameHasOwner = [
  "--dest=org.freedesktop.DBus",
  "/",
  "org.freedesktop.DBus.NameHasOwner",
  "string:org.freedesktop.Notifications",
];

function environmentIn(folder: string): Record<string, string> {
  const folders = { XDG_RUNTIME_DIR: "run", XDG_CONFIG_HOME: "config", XDG_CACHE_HOME: "cache", XDG_DATA_HOME: "data" };
  const own = Object.entries(folders).map(([name, child]) => {
    mkdirSync(join(folder, child), { mode: 0o700 });
    return [name, join(folder, child)] as const;
  });
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    XDG_SESSION_TYPE: "x11",
    NO_AT_BRIDGE: "1",
    GTK_A11Y: "none",
    GSETTINGS_BACKEND: "memory",
    ...Object.fromEntries(own),
  };
}
