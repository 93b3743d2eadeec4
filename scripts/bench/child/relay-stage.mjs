// A relay and a terminal part around nothing: no host, no desktop, a folder of the bench.
import { EventEmitter } from "node:events";
import { loadTypeScript } from "../../rig/load-typescript.mjs";

export const loadRelayParts = () => loadTypeScript("scripts/bench/child/relay-parts.ts");

export async function openRelay({ startRelay, createPresenceStore, systemClock }, folder, onPresence = () => {}) {
  const store = createPresenceStore({ clock: systemClock, maxTerminals: () => 10_000, onPresence });
  const started = await startRelay({
    clock: systemClock,
    log: (line) => console.error(line),
    folders: [folder],
    line: "v1",
    directories: () => [],
    maxTerminals: () => 10_000,
    store,
    observer: () => undefined,
  });
  if (!started.ok) throw new Error(started.error.detail);
  return { relay: started.value, store };
}

/** The terminal part in a terminal that can only be pressed, focused and blurred. */
export function openTerminal(
  { startCompanion, recall, openSocket, systemClock, listenToRenderer },
  folders,
  name = "t",
) {
  const renderer = Object.assign(new EventEmitter(), { keyInput: new EventEmitter(), stdin: new EventEmitter() });
  const nothing = () => {};
  const host = {
    listen: (happened) => listenToRenderer({ renderer, happened }),
    view: () => ({ type: "session", sessionID: "ses_a", rootID: "ses_a" }),
    screen: {
      hearsFocus: true,
      hostReportsFocus: () => true,
      terminalName: nothing,
      onCapabilities: () => nothing,
      onDestroyed: () => nothing,
      isSuspended: () => false,
      write: nothing,
      notify: () => false,
    },
    navigate: nothing,
    toast: nothing,
    show: nothing,
    choose: nothing,
    addCommands: () => nothing,
  };
  const end = startCompanion({
    clock: systemClock,
    host,
    memory: recall({}, renderer, () => name, { now: systemClock.now(), wall: systemClock.wall() }),
    name,
    folders,
    tunnelled: [],
    openSocket,
    dice: Math.random,
    alerts: {
      abilities: () => ({ notify: [], ssh: false }),
      prepare: async () => {},
      raise: () => false,
      takeBack: () => false,
    },
    writeLast: nothing,
  });
  return { renderer, end };
}
