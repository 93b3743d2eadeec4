import { readdir, readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { systemClock } from "../../../shared/clock.ts";
import { configPath, mutePath, relayDirs, stateDir } from "../../config/location.ts";
import { muteFileSource } from "../../config/mute-file.ts";
import { findProgram } from "../../delivery/find-program.ts";
import { hasDesktop, platformOf } from "../../delivery/platform.ts";
import { isDecision, journalProblem, readJournalLines } from "../../journal/read-journal.ts";
import { configInForce } from "../config-in-force.ts";
import type { Context } from "../context.ts";
import { readDaemonFacts } from "../desktop/daemon-facts.ts";
import { findHost } from "../host-version.ts";
import { findRelays, isLive } from "../relays/find-relays.ts";
import { askStatus } from "../status/relay-status.ts";
import type { Facts } from "./facts.ts";
import { gatherFolders } from "./gather-folders.ts";
import { gatherHostFiles } from "./gather-host-files.ts";
import { gatherTmux } from "./gather-tmux.ts";

const programs = [
  ...["notify-send", "gdbus", "busctl", "osascript", "alerter", "terminal-notifier", "powershell.exe"],
  ...["say", "spd-say", "espeak-ng", "espeak"],
  ...["pw-play", "paplay", "canberra-gtk-play", "aplay", "afplay"],
];

/** Looks at the machine; the checks only look at what this brings. */
export async function gatherFacts(context: Context): Promise<Facts> {
  const { place, cwd, runProgram, wall, version } = context;
  const { env, home } = place;
  const platform = platformOf(place.platform, env, undefined);
  const relays = await findRelays(relayDirs(place));
  const muted = await muteFileSource(mutePath(place))();
  // Before anything that keeps this process busy: a relay cuts whom it has to wait for.
  const running = await Promise.all(relays.filter(isLive).map(({ descriptor }) => askStatus(descriptor)));
  const [host, hostProcesses, tmux, daemon, folders, lines, problem] = await Promise.all([
    findHost(place, runProgram),
    findHostProcesses(),
    gatherTmux(env, runProgram),
    platform === "linux" ? gatherDaemon(context) : undefined,
    gatherFolders(place),
    readJournalLines(stateDir(place)),
    journalProblem(stateDir(place)),
  ]);
  return {
    ...{ platform, env, home, version, host, hostProcesses, relays, running, tmux, daemon, folders },
    decisions: lines.filter(isDecision),
    changes: lines.flatMap((line) => (isDecision(line) ? [] : [line])),
    journalProblem: problem,
    files: await gatherHostFiles(place, cwd),
    hasDesktop: hasDesktop(platform, env),
    programs: new Set(programs.filter((program) => findProgram(program, env) !== undefined)),
    config: { path: configPath(place), ...(await configInForce(configPath(place))) },
    mutedUntil: muted.kind === "until" && muted.until > wall() ? muted.until : undefined,
  };
}

async function gatherDaemon({ place, runProgram }: Context): Promise<Facts["daemon"]> {
  const { openBus } = await import("../../delivery/open-bus.ts");
  return readDaemonFacts({ env: place.env, clock: systemClock, openBus, runProgram });
}

/** Our own processes called opencode, by Linux's /proc; undefined elsewhere. */
async function findHostProcesses(): Promise<number[] | undefined> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  if (pids.length === 0) return undefined;
  const named = await Promise.all(pids.map(async (pid) => ((await programOf(pid)) === "opencode" ? [pid] : [])));
  return named.flat();
}

async function programOf(pid: number): Promise<string> {
  const owner = await stat(`/proc/${pid}`).catch(() => undefined);
  if (owner?.uid !== process.getuid?.()) return "";
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return basename(line.split("\0", 1)[0] ?? "");
}
