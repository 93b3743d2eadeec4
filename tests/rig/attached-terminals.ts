import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAttachedTerminal } from "../../src/server/delivery/attached-terminal.ts";
import type { Outlet } from "../../src/server/delivery/channel.ts";
import { chooseTerminals } from "../../src/server/focus/presence.ts";
import { leaseRelay } from "../../src/server/focus/shared-relay.ts";
import { systemClock } from "../../src/shared/clock.ts";
import type { View } from "../../src/shared/focus.ts";
import { silentLog } from "../../src/shared/log.ts";
import { startCompanion } from "../../src/tui/companion.ts";
import { recall } from "../../src/tui/memory.ts";
import { openSocket } from "../../src/tui/open-socket.ts";
import { createTerminalAlerts } from "../../src/tui/terminal-alerts.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";
import { notificationsIn, type TerminalNotification } from "./host/terminal-notifications.ts";
import { waitUntil } from "./host/wait-for.ts";

const moment = () => ({ now: systemClock.now(), wall: systemClock.wall() });

export type AttachedTo = {
  /** What the terminal tells of itself in its environment. */
  env: Record<string, string>;
  view?: View;
};

/** A real terminal part behind a screen that keeps what is written to it. */
export type AttachedTerminal = {
  shown(): TerminalNotification[];
  /** Another program has the screen, or gave it back. */
  suspended: boolean;
  /** It gets the alerts, and comes to nothing: never an answer. */
  silent: boolean;
  /** A key was pressed. */
  used(): Promise<void>;
};

/** A real relay and the terminals attached to it over real sockets, all in this process; and the outlet that asks them. */
export function startTerminals() {
  const folder = mkdtempSync(join(tmpdir(), "beckon-terminals-"));
  const lease = leaseRelay(
    { clock: systemClock, folders: [join(folder, "relays")], line: "v1", home: {} },
    {
      log: silentLog,
      directories: () => [],
      maxTerminals: () => 8,
      onPresence: () => {},
      observer: () => undefined,
    },
  );
  const ends: (() => void)[] = [];
  const lifeOf = (id: string) => lease.presence().get(id)?.seq ?? 0;

  async function attach(id: string, { env, view = { type: "home" } }: AttachedTo): Promise<AttachedTerminal> {
    const { host, did, shown, happen } = createFakeTerminal();
    shown.view = view;
    const terminal: AttachedTerminal = {
      shown: () => notificationsIn(Buffer.from(did.map(([, bytes]) => bytes).join(""), "utf8").toString("latin1")),
      suspended: false,
      silent: false,
      async used() {
        const before = lifeOf(id);
        happen({ type: "key" });
        await waitUntil(`a report of ${id}`, () => lifeOf(id) > before);
      },
    };
    const screen = {
      ...host.screen,
      isSuspended: () => terminal.suspended,
      write: (bytes: string) => !terminal.suspended && host.screen.write(bytes),
      notify: () => false,
    };
    const alerts = createTerminalAlerts({
      env,
      screen,
      answeredOsc99: () => false,
      askTmux: async () => undefined,
    });
    const prepare = () => (terminal.silent ? new Promise<void>(() => {}) : alerts.prepare());
    ends.push(
      startCompanion({
        clock: systemClock,
        host,
        memory: recall({}, {}, () => id, moment()),
        name: id,
        folders: [join(folder, "relays")],
        tunnelled: [],
        openSocket,
        dice: Math.random,
        alerts: { ...alerts, prepare },
        bringForward: async () => true,
        writeLast: () => {},
      }),
    );
    await waitUntil(`${id} at the relay`, () => lease.presence().has(id));
    return terminal;
  }

  /** As a server part asks its terminals. */
  const outlet = (): Outlet =>
    createAttachedTerminal({
      candidates: ({ sessionID }) =>
        chooseTerminals(lease.presence(), (shown) => shown === sessionID, moment()).map(({ id }) => id),
      ...lease.terminals,
    });

  async function close(): Promise<void> {
    for (const end of ends) end();
    await lease.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { attach, outlet, close };
}
