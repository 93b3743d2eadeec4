import type { Clock } from "../shared/clock.ts";
import type { FocusReport } from "../shared/focus.ts";
import { guarded, unattended } from "../shared/guard.ts";
import { encode, protocols, readToTerminal } from "../shared/protocol.ts";
import { createAsking } from "./asking.ts";
import { createCallReporter } from "./call-reporter.ts";
import { createCommands } from "./commands.ts";
import { findRelays } from "./find-relays.ts";
import { startFocusMode } from "./focus-mode.ts";
import { createFocusReporter } from "./focus-reporter.ts";
import type { Happening } from "./focus-state.ts";
import type { Memory } from "./memory.ts";
import type { OpenSocket } from "./open-socket.ts";
import { plainHost } from "./plain-host.ts";
import { createRecallableAlerts } from "./recallable-alerts.ts";
import { type RelayAddress, startRelayClient } from "./relay-client.ts";
import { createRelayClients } from "./relay-clients.ts";
import type { TerminalAlerts } from "./terminal-alerts.ts";
import type { TerminalHost } from "./terminal-host.ts";
import { createWishes } from "./wishes.ts";

/** There is no event for a change of route. Reading it costs nothing. */
const viewMs = 200;

export type CompanionDeps = {
  clock: Clock;
  host: TerminalHost;
  memory: Memory;
  /** What a person calls this terminal. */
  name: string;
  folders: readonly string[];
  /** Relays reached through a tunnel. */
  tunnelled: readonly RelayAddress[];
  openSocket: OpenSocket;
  dice(): number;
  alerts: TerminalAlerts;
  /** Raises the window this runs in; true when that worked. */
  bringForward(): Promise<boolean>;
  /** Reaches the terminal when the renderer is gone. */
  writeLast(bytes: string): void;
};

/** The terminal part, whatever the host: reports, obeys, cleans up. It never decides. Returns its own end. */
export function startCompanion(deps: CompanionDeps): () => void {
  const { clock, memory, alerts } = deps;
  const host = plainHost(deps.host);
  const who = () => ({ name: deps.name, abilities: alerts.abilities() });
  const obey = createWishes({ host, alerts: createRecallableAlerts(alerts), bringForward: deps.bringForward });

  const clients = createRelayClients((address, mayComeBack) =>
    startRelayClient({ ...deps, address, hello, onWish: obey, mayComeBack, isServed: (id) => clients.isWelcomeAt(id) }),
  );
  const calls = host.calls && createCallReporter({ clock, calls: host.calls, isWelcomeAt: clients.isWelcomeAt });
  const reporter = createFocusReporter({ clock, memory, tell });
  const onDeaf = () => reporter.happened({ type: "deaf" });
  const focusMode = startFocusMode({ clock, screen: host.screen, writeLast: deps.writeLast, onDeaf });

  function nextSeq(): number {
    memory.seq += 1;
    return memory.seq;
  }

  function hello(token: string): string {
    const state = { id: memory.id, seq: nextSeq(), report: reporter.report(), ...who() };
    return encode({ type: "hello", role: "terminal", protocols: [...protocols], token, ...state });
  }

  function tell(report: FocusReport): void {
    const { name, abilities } = who();
    const told = { seq: nextSeq(), report, abilities };
    clients.tell(told);
    calls?.tell({ viewer: memory.id, name, ...told });
  }

  function happened(happening: Happening): void {
    if (happening.type === "suspend") focusMode.suspend();
    reporter.happened({ type: "view", view: host.view() });
    reporter.happened(happening);
    if (happening.type === "resume") focusMode.resume();
  }

  let cancelLook = () => {};
  function look(): void {
    cancelLook = clock.after(viewMs, look); // first: a bug ends no loop
    reporter.happened({ type: "view", view: host.view() });
  }
  guarded("view", look)();

  const { askAll, askOne } = createAsking({
    clock,
    openSocket: deps.openSocket,
    addresses: clients.addresses,
    calls: host.calls,
  });
  const ends = [
    host.listen(happened),
    host.addCommands(createCommands({ host, askAll, askOne, report: reporter.report })),
    host.calls?.onWish(memory.id, guarded("wish", obeyCall)),
    findRelays({ clock, folders: deps.folders, onRelays: (found) => clients.keep([...found, ...deps.tunnelled]) }),
    () => cancelLook(),
    reporter.stop,
    clients.stop,
    () => calls?.stop(),
  ];
  unattended("alerts", alerts.prepare());
  clients.keep(deps.tunnelled);

  async function obeyCall(frame: string): Promise<void> {
    const read = readToTerminal(frame);
    if (!read.ok || read.value.type === "welcome") return;
    const done = await obey(read.value);
    if (read.value.type === "raise") await host.calls?.raised(memory.id, read.value.request, done);
  }

  /** The mode first: whatever else fails, the terminal is left as it was found. */
  return () => {
    for (const end of [focusMode.end, ...ends]) guarded("end", () => end?.())();
  };
}
