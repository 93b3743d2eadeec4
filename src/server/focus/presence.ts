import { type FocusReport, visibleSession } from "../../shared/focus.ts";

/** A moment on both clocks: a laptop that slept is caught by the wall clock, a clock set back by the monotonic one. */
export type Moment = { now: number; wall: number };

/** How a terminal can raise an alert itself, as it told in its hello. */
export type TerminalAbilities = { notify: readonly string[]; ssh: boolean };

export type Terminal = {
  /** One connection of one TUI; a reconnecting TUI keeps its id. */
  id: string;
  /** What a person calls it: pid and tty, or the trace's name. */
  name: string;
  seq: number;
  report: FocusReport;
  reportedAt: Moment;
  abilities?: TerminalAbilities | undefined;
};

/** All connected terminals. Plain data: it survives a hot reload. */
export type Presence = ReadonlyMap<string, Terminal>;

/** Terminals report every 10 s; three missed reports mean gone. */
export const heartbeatMs = 10_000;
export const goneAfterMs = 30_000;

/** Adds a report. An older sequence number of the same terminal changes nothing, whatever order frames arrive in. */
export function withReport(presence: Presence, terminal: Terminal): Presence {
  const known = presence.get(terminal.id);
  if (known !== undefined && known.seq >= terminal.seq) return presence;
  return new Map(presence).set(terminal.id, terminal);
}

export function withoutTerminal(presence: Presence, id: string): Presence {
  if (!presence.has(id)) return presence;
  const rest = new Map(presence);
  rest.delete(id);
  return rest;
}

/** Ms since the report on whichever clock says more. */
const age = (terminal: Terminal, at: Moment): number =>
  Math.max(at.now - terminal.reportedAt.now, at.wall - terminal.reportedAt.wall, 0);

export const isLive = (terminal: Terminal, at: Moment): boolean => age(terminal, at) < goneAfterMs;

/** Ms since the last sign of life: a key, mouse, paste, resize by hand, focus gained, route change. */
export const idleFor = (terminal: Terminal, at: Moment): number => terminal.report.idleMs + age(terminal, at);

export type Looking = {
  /** Whether the session on screen is one whose viewer counts. */
  matches: (sessionID: string, rootID: string | undefined) => boolean;
  /** 0 = a focused terminal never counts as left. */
  idleSeconds: number;
};

/** Who looks, and the monotonic ms at which that ends if nothing more is heard. `remote`: from another machine's screen. */
export type Attendance = { by: string; until: number; remote?: true };

/** Only an explicit, live, recent `focused` on a matching session counts; everything else is "nobody looks". */
export function attendance(presence: Presence, looking: Looking, at: Moment): Attendance | undefined {
  let best: Attendance | undefined;
  for (const terminal of presence.values()) {
    const until = attendedUntil(terminal, looking, at);
    if (until <= at.now) continue;
    const remote = best?.remote === true || terminal.abilities?.ssh === true;
    const longest = best !== undefined && best.until >= until ? best : { by: terminal.name, until };
    best = { ...longest, ...(remote ? { remote } : {}) };
  }
  return best;
}

function attendedUntil(terminal: Terminal, { matches, idleSeconds }: Looking, at: Moment): number {
  const { focus, view } = terminal.report;
  const sessionID = visibleSession(view);
  if (focus !== "focused" || sessionID === undefined) return 0;
  if (!matches(sessionID, view.type === "session" ? view.rootID : undefined) || !isLive(terminal, at)) return 0;
  const goneAt = at.now + goneAfterMs - age(terminal, at);
  const leftAt = idleSeconds === 0 ? Number.POSITIVE_INFINITY : at.now + idleSeconds * 1_000 - idleFor(terminal, at);
  return Math.min(goneAt, leftAt);
}

/** The one terminal that may raise an alert itself: the one showing the session, else the most recently used. */
export function chooseTerminals(presence: Presence, matches: Looking["matches"], at: Moment): Terminal[] {
  const shows = (terminal: Terminal): boolean => {
    const { view } = terminal.report;
    return view.type === "session" && matches(view.sessionID, view.rootID);
  };
  return [...presence.values()]
    .filter((terminal) => terminal.abilities !== undefined && isLive(terminal, at))
    .sort((a, b) => Number(shows(b)) - Number(shows(a)) || idleFor(a, at) - idleFor(b, at));
}

/** Whether the person was last at a terminal reached by ssh: then they sit at another machine. */
export const isLastUsedBySsh = (presence: Presence, at: Moment): boolean =>
  chooseTerminals(presence, () => false, at)[0]?.abilities?.ssh === true;
