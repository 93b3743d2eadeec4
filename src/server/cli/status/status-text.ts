import { unixPath } from "../../../shared/rendezvous.ts";
import { cleanTitle } from "../../../shared/text.ts";
import { nativeAttentionWords } from "../../host-files/native-attention.ts";
import type { JournalEntry } from "../../journal/read-journal.ts";
import type { Paint } from "../paint.ts";
import { shortPath } from "../short-path.ts";
import { dayLine, whyLine } from "../why/why-line.ts";
import type { RelayReport, Running } from "./relay-status.ts";

export type Snapshot = {
  running: readonly Running[];
  /** Epoch ms; undefined when nothing is muted. */
  mutedUntil: number | undefined;
  /** The newest decisions, oldest first. */
  decisions: readonly JournalEntry[];
  /** Of the configuration in force. */
  idleSeconds: number;
  home: string;
};

type Terminal = RelayReport["terminals"][number];

/** The live view: who runs, who looks at what, what was decided last. */
export function statusText(snapshot: Snapshot, paint: Paint): string {
  const { running, mutedUntil, decisions } = snapshot;
  const parts = running.map((one) => runningText(one, snapshot, paint));
  if (running.length === 0) parts.push("No running opencode with beckon in it.\n");
  if (mutedUntil !== undefined) {
    parts.push(`${paint.yellow(`Muted until ${new Date(mutedUntil).toLocaleString()}`)}; to end it: beckon mute off\n`);
  }
  parts.push(...attentionLines(snapshot, paint));
  const last = decisions.at(-1);
  if (last !== undefined) {
    const today = decisions.filter((entry) => dayLine(entry, paint) === dayLine(last, paint));
    parts.push(`Last decisions, ${dayLine(last, paint)}${today.map((entry) => whyLine(entry, paint)).join("")}`);
  }
  return parts.join("\n");
}

/** Once for each file that switches it on, however many of opencode run. */
function attentionLines({ running, home }: Snapshot, paint: Paint): string[] {
  const found = running.flatMap((one) => ("report" in one ? (one.report.nativeAttention ?? []) : []));
  const each = [...new Map(found.map((attention) => [attention.path, attention])).values()];
  return each.map(({ path, off }) => {
    const words = nativeAttentionWords({ path: cleanTitle(shortPath(path, home), 200), off: cleanTitle(off, 200) });
    return `${paint.yellow(words)}\n`;
  });
}

const lines = { v1: "opencode 1.x", v2: "opencode 2.x" } as const;

function runningText(running: Running, { idleSeconds, home }: Snapshot, paint: Paint): string {
  const { descriptor } = running;
  const where = descriptor.directories.map((directory) => cleanTitle(shortPath(directory, home), 200)).join(", ");
  const head = `${paint.bold(lines[descriptor.line])}, pid ${descriptor.pid}${where === "" ? "" : `, ${where}`}`;
  if ("failure" in running) {
    const what = running.noLibrary ? "cannot be asked" : "does not answer";
    return `${head}\n  ${paint.red(`${what}: ${running.failure}`)}\n`;
  }
  const { version, sessions, terminals, configProblem } = running.report;
  const facts = [
    `beckon ${version}, ${sessions} ${sessions === 1 ? "session" : "sessions"} known`,
    ...(unixPath(descriptor.url) === undefined
      ? [`listens on ${new URL(descriptor.url).host}, not at a socket of your own`]
      : []),
    ...(configProblem === undefined ? [] : [paint.red(`configuration not in force: ${configProblem}`)]),
    ...(terminals.length === 0 ? ["no terminal reports focus, so every alert is delivered"] : []),
    ...terminals.map((terminal) => terminalText(terminal, idleSeconds, paint)),
  ];
  return `${head}\n${facts.map((fact) => `  ${fact}\n`).join("")}`;
}

function terminalText(terminal: Terminal, idleSeconds: number, paint: Paint): string {
  const { name, focus, view, sessionID, idleMs } = terminal;
  const shown = sessionID === undefined ? (view === "home" ? "the start screen" : "another screen") : sessionID;
  const idle = `last used ${seconds(idleMs)} ago`;
  return `terminal ${cleanTitle(name)}: ${focus}, shows ${cleanTitle(shown)}, ${idle}; ${verdict(terminal, idleSeconds, paint)}`;
}

/** What this terminal does to an alert of the session it shows. */
function verdict({ focus, sessionID, idleMs }: Terminal, idleSeconds: number, paint: Paint): string {
  if (focus === "unknown") return paint.yellow("it never told its focus, so it silences nothing");
  if (focus !== "focused") return "nobody looks";
  if (sessionID === undefined) return "silences nothing, because it shows no session";
  if (idleSeconds !== 0 && idleMs > idleSeconds * 1_000) return "counts as left, because it was not used for so long";
  return paint.green("you look at that session");
}

function seconds(ms: number): string {
  const whole = Math.round(ms / 1_000);
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
