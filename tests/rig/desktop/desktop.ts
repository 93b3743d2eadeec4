import { existsSync, readFileSync } from "node:fs";
import { waitFor } from "../host/wait-for.ts";
import { type DaemonName, displayedFile } from "./daemon.ts";
import { type Banner, startRecorder } from "./recorder.ts";
import { createSurroundings, signalIfAlive } from "./surroundings.ts";

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
export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const surroundings = createSurroundings();
  try {
    return await furnish(surroundings, options);
  } catch (error) {
    await surroundings.end();
    throw error;
  }
}

async function furnish(
  surroundings: ReturnType<typeof createSurroundings>,
  { daemon = "dunst", paused = false }: DesktopOptions,
): Promise<Desktop> {
  const { folder, env, run } = surroundings;
  const banners: Banner[] = [];
  const startBus = async () => {
    const bus = await surroundings.startBus();
    return { bus, recorder: await startRecorder(bus.address, banners) };
  };
  const startIt = async () => {
    const child = daemon === "none" ? undefined : await surroundings.startDaemon(daemon);
    if (paused) await run("dunstctl", "set-paused", "true");
    return child;
  };

  let { bus, recorder } = await startBus();
  if (daemon !== "none") await surroundings.startScreen();
  let current = await startIt();
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
      const path = `/beckon/marker${markers}`;
      const passed = recorder.passed(path);
      await run("dbus-send", "--session", "--type=signal", path, "beckon.Test.Marker");
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
        await surroundings.nameIsFree();
      },
      async restart() {
        current = await startIt();
      },
    },
    bus: {
      pid: () => bus.child.pid,
      async end() {
        await bus.child.end();
      },
      async restart() {
        ({ bus, recorder } = await startBus());
        current = await startIt();
      },
    },
    async close() {
      recorder.stop();
      await surroundings.end();
    },
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
