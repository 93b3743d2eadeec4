import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Child, printed, startChild } from "../host/child.ts";
import { waitFor } from "../host/wait-for.ts";
import { type DaemonName, displayedFile, startDaemon } from "./daemon.ts";
import { startPrivateBus } from "./private-bus.ts";
import { type Banner, startRecorder } from "./recorder.ts";

const runFile = promisify(execFile);

export type DesktopOptions = {
  /** `none`: a bus on which nobody shows notifications. */
  daemon?: DaemonName | "none";
  /** dunst only: starts in do-not-disturb. */
  paused?: boolean;
};

export type Displayed = { id: number; title: string; body: string };

export type Desktop = {
  /** For what runs inside: PATH, DISPLAY, DBUS_SESSION_BUS_ADDRESS, private XDG folders. */
  env: Record<string, string>;
  folder: string;
  /** Every Notify so far, oldest first. */
  banners(): readonly Banner[];
  /** What dunst put on the screen, as its own script saw it. */
  displayed(): Displayed[];
  /** Waits until the banners satisfy `look`. */
  until<T>(what: string, look: (banners: readonly Banner[]) => T | undefined): Promise<T>;
  /** Everything sent before this call has been recorded when it resolves: for asserting that nothing came. */
  settled(): Promise<void>;
  run(program: string, ...args: string[]): Promise<string>;
  /** The daemon; restarting waits until it owns its name again. */
  daemon: { pid(): number; signal(signal: NodeJS.Signals): void; end(): Promise<void>; restart(): Promise<void> };
  /** The bus; when it ends the daemon ends too. Restarting brings both back, at the same address. */
  bus: { pid(): number; end(): Promise<void>; restart(): Promise<void> };
  /** Ends all that was started. */
  close(): Promise<void>;
};

/**
 * A private, throw-away desktop: a bus, an X display, a REAL notification daemon, and a recorder of all that is asked
 * and shown. Needs dbus, xvfb and the daemon's package. Desktops at the same time do not meet.
 */
export async function startDesktop({ daemon = "dunst", paused = false }: DesktopOptions = {}): Promise<Desktop> {
  const folder = mkdtempSync(join(tmpdir(), "beckon-desktop-"));
  const env = environmentIn(folder);
  const children: Child[] = [];
  const started = (child: Child) => {
    children.push(child);
    return child;
  };
  const close = async () => {
    for (const child of children.reverse()) {
      signalIfAlive(child, "SIGCONT"); // a stopped one would not answer a SIGTERM
      await child.end();
    }
    rmSync(folder, { recursive: true, force: true });
  };

  const banners: Banner[] = [];
  const startBus = async () => {
    const bus = await startPrivateBus(join(folder, "run"), env);
    started(bus.child);
    env.DBUS_SESSION_BUS_ADDRESS = bus.address;
    return { bus, recorder: await startRecorder(bus.address, banners) };
  };
  let { bus, recorder } = await startBus();
  const run = async (program: string, ...args: string[]) =>
    (await runFile(program, args, { env, timeout: 30_000 })).stdout;
  const ask = (...args: string[]) => run("dbus-send", "--session", "--print-reply=literal", ...args);
  const owned = async () => (await ask(...nameHasOwner)).includes("true");

  let current: Child | undefined;
  const startIt = async () => {
    if (daemon === "none") return;
    const child = started(startDaemon(daemon, folder, env));
    current = child;
    await waitFor(
      () => `${daemon} to own its name: ${child.stderr()}`,
      async () => (await owned()) || undefined,
    );
    if (paused) await run("dunstctl", "set-paused", "true");
  };
  if (daemon !== "none") {
    const screen = started(
      startChild("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"], { cwd: folder, env }),
    );
    env.DISPLAY = `:${(await printed(screen, /^\d+$/m))[0]}`;
    await startIt();
  }

  let markers = 0;
  return {
    env,
    folder,
    banners: () => banners,
    displayed: () => readDisplayed(displayedFile(folder)),
    until: (what, look) =>
      waitFor(
        () => `${what}; so far: ${JSON.stringify(banners)}`,
        () => look(banners),
      ),
    async settled() {
      markers += 1;
      const passed = recorder.passed(`/beckon/marker${markers}`);
      await run("dbus-send", "--session", "--type=signal", `/beckon/marker${markers}`, "beckon.Test.Marker");
      await passed;
    },
    run,
    daemon: {
      pid: () => current?.pid ?? -1,
      signal(signal) {
        if (current) signalIfAlive(current, signal);
      },
      async end() {
        await current?.end();
        await waitFor("the daemon's name to be free", async () => ((await owned()) ? undefined : true));
      },
      restart: startIt,
    },
    bus: {
      pid: () => bus.child.pid,
      async end() {
        await bus.child.end();
      },
      async restart() {
        ({ bus, recorder } = await startBus());
        await startIt();
      },
    },
    async close() {
      recorder.stop();
      await close();
    },
  };
}

function signalIfAlive({ pid }: Child, signal: NodeJS.Signals): void {
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

function readDisplayed(file: string): Displayed[] {
  const words = existsSync(file) ? readFileSync(file, "utf8").split("\0") : [];
  return words.flatMap((id, at) =>
    at % 3 === 0 && words[at + 2] !== undefined
      ? [{ id: Number(id), title: words[at + 1] ?? "", body: words[at + 2] ?? "" }]
      : [],
  );
}
