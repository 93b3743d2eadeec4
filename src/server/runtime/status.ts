import { visibleSession } from "../../shared/focus.ts";
import { cleanTitle } from "../../shared/text.ts";
import type { Decision } from "../core/decision.ts";
import { idleFor, type Moment, type Presence, type Terminal } from "../focus/presence.ts";
import { type NativeAttention, nativeAttentionWords } from "../host-files/native-attention.ts";
import { version } from "../version.ts";

/** One attached terminal, as a person would ask about it. */
export type TerminalStatus = { name: string; focus: string; view: string; sessionID?: string; idleMs: number };

/** What `beckon_status`, `beckon status` and a terminal's own status command show. JSON data. */
export type StatusReport = {
  version: string;
  line: "v1" | "v2";
  pid: number;
  configPath: string;
  configProblem?: string;
  /** ISO 8601. */
  mutedUntil?: string;
  /** opencode calls the person too: the file that says so, and what ends it. */
  nativeAttention?: NativeAttention;
  sessions: number;
  terminals: TerminalStatus[];
  /** The newest decisions, oldest first. */
  decisions: (Omit<Decision, "at" | "message"> & { time: string })[];
};

export type StatusFacts = {
  line: "v1" | "v2";
  pid: number;
  configPath: string;
  configProblem: string | undefined;
  /** Epoch ms. */
  mutedUntil: number | undefined;
  nativeAttention: NativeAttention | undefined;
  sessions: number;
  presence: Presence;
  at: Moment;
  decisions: StatusReport["decisions"];
};

export function statusOf(facts: StatusFacts): StatusReport {
  const { configProblem, mutedUntil, nativeAttention, presence, at, ...rest } = facts;
  return {
    version,
    ...rest,
    ...(configProblem === undefined ? {} : { configProblem }),
    ...(mutedUntil === undefined || mutedUntil < at.wall ? {} : { mutedUntil: new Date(mutedUntil).toISOString() }),
    ...(nativeAttention === undefined ? {} : { nativeAttention }),
    terminals: [...presence.values()].map((terminal) => terminalStatus(terminal, at)),
  };
}

function terminalStatus(terminal: Terminal, at: Moment): TerminalStatus {
  const { focus, view } = terminal.report;
  const sessionID = visibleSession(view);
  return {
    name: terminal.name,
    focus,
    view: view.type,
    ...(sessionID === undefined ? {} : { sessionID }),
    idleMs: Math.round(idleFor(terminal, at)),
  };
}

/** What a person calls a line. */
export const hosts = { v1: "opencode 1.18", v2: "opencode 2" } as const;
const shownDecisions = 5;
const longestLine = 1_000;

/** The report in words, a line each. */
export function statusLines(report: StatusReport): string[] {
  const lines = [
    `opencode-beckon ${report.version} on ${hosts[report.line]}, pid ${report.pid}, ${plural(report.sessions, "session")} known`,
    report.configProblem === undefined
      ? `configuration: ${report.configPath}`
      : `configuration NOT in force: ${report.configProblem}`,
    ...(report.mutedUntil === undefined ? [] : [`muted until ${report.mutedUntil}`]),
    ...(report.nativeAttention === undefined ? [] : [nativeAttentionWords(report.nativeAttention)]),
    report.terminals.length === 0
      ? "no terminal reports focus: every alert is delivered"
      : `${plural(report.terminals.length, "terminal")}:`,
    ...report.terminals.map(terminalLine),
    report.decisions.length === 0 ? "no decisions yet" : "last decisions:",
    ...report.decisions.slice(-shownDecisions).map(decisionLine),
  ];
  return lines.map((line) => `${line.startsWith("  ") ? "  " : ""}${cleanTitle(line, longestLine)}`);
}

const terminalLine = ({ name, focus, view, sessionID, idleMs }: TerminalStatus): string =>
  `  ${name}: ${focus}, shows ${sessionID ?? view}, last used ${Math.round(idleMs / 1_000)} s ago`;

const decisionLine = ({
  time,
  alert,
  sessionID,
  title,
  outcome,
  reason,
  by,
  hidden = [],
}: StatusReport["decisions"][number]): string => {
  const more = [...(by === undefined ? [] : [by]), ...hidden].join(", ");
  return `  ${time} ${alert} ${title ?? sessionID}: ${outcome}, ${reason}${more === "" ? "" : ` (${more})`}`;
};

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
