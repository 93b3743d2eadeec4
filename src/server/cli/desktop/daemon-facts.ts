import type { Clock } from "../../../shared/clock.ts";
import { cleanTitle } from "../../../shared/text.ts";
import { within } from "../../../shared/within.ts";
import { sessionBusPaths } from "../../delivery/bus-address.ts";
import { createDesktopState } from "../../delivery/desktop-state.ts";
import type { Environment } from "../../delivery/find-program.ts";
import { notifications } from "../../delivery/notification-daemon.ts";
import type { RunProgram } from "../../delivery/run-program.ts";
import type { OpenBus, SessionBus } from "../../delivery/session-bus.ts";

/** The session bus and who shows notifications on it. */
export type DaemonFacts =
  | { state: "no-library" } // dbus-native is not installed: only notify-send can be used
  | { state: "no-bus"; detail: string }
  | { state: "nobody" } // the bus is there, nobody owns the name
  | { state: "silent" } // somebody does, and does not answer within 2 s
  | {
      state: "answers";
      name: string;
      version: string;
      capabilities: readonly string[];
      /** Undefined where it cannot be told. */
      doNotDisturb: boolean | undefined;
    };

export type DaemonFactsDeps = { env: Environment; clock: Clock; openBus: OpenBus; runProgram: RunProgram };

const answerMs = 2_000;
const longestWord = 60;

/** Asks the bus; a hung bus or daemon costs 2 s a question. */
export async function readDaemonFacts(deps: DaemonFactsDeps): Promise<DaemonFacts> {
  const giveUp = new AbortController();
  const opening = deps.openBus(sessionBusPaths(deps.env), giveUp.signal);
  const bus = await within(deps.clock, answerMs, opening);
  if (bus === undefined) giveUp.abort();
  if (bus?.ok === false && bus.error.noLibrary) return { state: "no-library" };
  if (bus === undefined || !bus.ok) return { state: "no-bus", detail: bus?.error.detail ?? "the bus does not answer" };
  try {
    return await askDaemon(bus.value, deps);
  } finally {
    bus.value.close();
  }
}

async function askDaemon(bus: SessionBus, deps: DaemonFactsDeps): Promise<DaemonFacts> {
  const ask = async (member: string) => within(deps.clock, answerMs, bus.call({ ...notifications, member }));
  const [server, capabilities] = await Promise.all([ask("GetServerInformation"), ask("GetCapabilities")]);
  if (server === undefined) return { state: "silent" };
  if (!server.ok) return server.error.kind === "unavailable" ? { state: "nobody" } : { state: "silent" };
  const [name, , version] = server.value.map((word) => cleanTitle(String(word), longestWord));
  const listed: unknown = capabilities?.ok ? capabilities.value[0] : [];
  return {
    state: "answers",
    name: name ?? "unknown",
    version: version ?? "",
    capabilities: Array.isArray(listed) ? listed.map(String) : [],
    doNotDisturb: await readDoNotDisturb(deps),
  };
}

async function readDoNotDisturb({ env, clock, openBus, runProgram }: DaemonFactsDeps): Promise<boolean | undefined> {
  const state = createDesktopState({ platform: "linux", env, openBus, run: runProgram, clock, deadlineMs: answerMs });
  const told = await state.doNotDisturb();
  await state.close();
  return told;
}
