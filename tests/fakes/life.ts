import type { Decision } from "../../src/server/core/decision.ts";
import type { Effect } from "../../src/server/core/effect.ts";
import type { Environment } from "../../src/server/core/environment.ts";
import type { SessionEvent } from "../../src/server/core/event.ts";
import type { Input, SessionFacts } from "../../src/server/core/input.ts";
import { newState, type State } from "../../src/server/core/state.ts";
import { nextDeadline, step } from "../../src/server/core/step.ts";
import { english } from "../../src/server/core/wording/en.ts";
import type { Presence } from "../../src/server/focus/presence.ts";
import { configWith } from "./config.ts";

/** Who is whose child in every life; `U` is placed only by the host's answer, `X` by nobody. */
export const parents: Readonly<Record<string, string | null>> = { R1: null, R2: null, A: "R1", B: "R1", C: "R2" };
export const sessionIDs = ["R1", "R2", "A", "B", "C", "U", "X"] as const;
export type SessionID = (typeof sessionIDs)[number];

/** What happens in a life. Times are ms, all else is plain data. */
export type Happening =
  | { do: "tell"; sessionID: SessionID; events: readonly SessionEvent[]; old?: boolean }
  | { do: "ask"; sessionID: SessionID; about: "permission" | "question"; callID?: string }
  | { do: "reply"; newest: number; how: "replied" | "refused"; named: boolean }
  | { do: "wait"; ms: number }
  | { do: "look"; terminal: "T1" | "T2"; focus: "focused" | "blurred" | "unknown"; shows?: SessionID; idleMs: number }
  | { do: "leave"; terminal: "T1" | "T2" }
  | { do: "press"; newest: number; action: "once" | "reject" | "default"; from?: "push" }
  | { do: "close"; sessionID: SessionID; byPerson: boolean }
  | { do: "mute"; ms: number }
  | { do: "configure"; file: number }
  | { do: "lock"; locked: boolean }
  | { do: "break"; channels: "ok" | "fail" | "drop" }
  | { do: "takeOver" }
  | { do: "hostEnds"; sessionIDs: readonly SessionID[] };

/** Configurations a life may run under, changed at any moment. */
export const files: readonly object[] = [
  {},
  { alerts: { done: { work: "any" }, focus: { unseenSeconds: 60 } } },
  { alerts: { pause: { mode: "both", actions: true }, reminder: { afterSeconds: 60, times: 2 } } },
  { alerts: { done: { delegated: "alert", minSeconds: 1 }, focus: { suppress: "all", leaveSeconds: 0 } } },
  {
    alerts: {
      push: [{ type: "ntfy", url: "https://ntfy.example", topic: "t", afterSeconds: 30, actions: true }],
      error: { stuckAfterSeconds: 1 },
    },
  },
  { alerts: { pause: { mode: "none" }, done: { mode: "voice" }, exclude: ["R2"] } },
];

/** How long until an answer comes, ms; undefined: never. Read from a list that goes round, so a life is repeatable. */
export type Delays = readonly (number | undefined)[];

export type Life = ReturnType<typeof createLife>;

/**
 * One life of the core on a clock of its own: effects are answered after the life's delays, in any order, or never, as
 * in the world. Nothing here decides anything.
 */
export function createLife(delays: Delays = [0], options: { fault?: (env: Environment) => Environment } = {}) {
  let state = newState({ now: 0, wall: 1_000_000_000 });
  let now = 0;
  let mutedUntil: number | undefined;
  let config = configWith({});
  let presence: Presence = new Map();
  let locked = false;
  let works: "ok" | "fail" | "drop" = "ok";
  let delayAt = 0;
  let serial = 0;
  let seq = 0;
  const decided: Decision[] = [];
  const bugs: unknown[] = [];
  const coming: { at: number; serial: number; input: Input }[] = [];
  const asked: { sessionID: SessionID; requestID: string }[] = [];
  const gone = new Set<string>();
  const performed: Effect[] = [];
  const steps: Effect[][] = [];
  const up = new Set<string>();

  const environment = (): Environment => {
    const env: Environment = {
      ...{ now, wall: 1_000_000_000 + now, config, wording: english, presence, mutedUntil, timeZone: "UTC" },
      can: { askScreen: true, answer: true, goTo: true, detach: false },
    };
    return options.fault?.(env) ?? env;
  };

  function dispatch(input: Input): void {
    const effects = step(state, input, environment());
    steps.push(effects);
    for (const effect of effects) perform(effect);
  }

  function later(input: Input): void {
    const delay = delays[delayAt++ % delays.length];
    if (delay === undefined) return;
    serial += 1;
    coming.push({ at: now + delay, serial, input });
  }

  const facts = (sessionID: string): SessionFacts | "missing" => {
    if (sessionID === "U") return { parentID: "R2", title: "U" };
    return sessionID in parents ? { parentID: parents[sessionID] ?? null, title: sessionID } : "missing";
  };

  function perform(effect: Effect): void {
    performed.push(effect);
    switch (effect.do) {
      case "record":
        return void decided.push(effect.decision);
      case "report-bug":
        return void bugs.push(effect.bug);
      case "look-up": {
        const { lookUp } = effect;
        if (effect.what === "session") return later({ kind: "session-found", lookUp, facts: facts(effect.sessionID) });
        if (effect.what === "messages")
          return later({ kind: "messages-found", lookUp, messages: [{ role: "user", texts: [{ synthetic: false }] }] });
        return later({ kind: "screen-found", lookUp, locked });
      }
      case "send":
      case "push":
      case "detach": {
        const { delivery, note } = effect;
        const words = { title: note.title, message: note.body };
        const channel = effect.do === "push" ? ("push" as const) : ("banner" as const);
        if (works === "ok") {
          if (effect.do !== "push") up.add(note.key);
          return arrive({ kind: "sent", delivery, handed: { ...words, channels: [channel] }, hidden: [] });
        }
        const failure = works === "drop" ? ("dropped" as const) : ("channel-error" as const);
        return arrive({ kind: "sent", delivery, handed: { ...words, channels: [], failure }, hidden: [] });
      }
      case "withdraw": {
        const went = up.delete(effect.key);
        if (effect.withdrawal !== undefined)
          arrive({ kind: "withdrawn", withdrawal: effect.withdrawal, channels: went ? ["banner"] : [] });
        return;
      }
      case "update":
        if (effect.withdrawal !== undefined)
          arrive({ kind: "withdrawn", withdrawal: effect.withdrawal, channels: ["banner"] });
        return;
      case "show":
        return void up.add(effect.note.key);
      case "answer":
        return later({ kind: "answered", answer: effect.answer, taken: true });
    }
  }

  /** Channels always say what became of it, if late. */
  function arrive(input: Input): void {
    serial += 1;
    coming.push({ at: now + (delays[delayAt++ % delays.length] ?? 20_000), serial, input });
  }

  /** Lets time pass: what comes and what is due, in the order of its time. */
  function advance(ms: number): void {
    const until = now + ms;
    for (;;) {
      coming.sort((a, b) => a.at - b.at || a.serial - b.serial);
      const [next] = coming;
      const dueAt = nextDeadline(state);
      const comesAt = next?.at ?? Number.POSITIVE_INFINITY;
      const at = Math.min(comesAt, dueAt ?? Number.POSITIVE_INFINITY);
      if (at > until) break;
      now = Math.max(now, at);
      if (next !== undefined && comesAt <= at) {
        coming.shift();
        dispatch(next.input);
      } else dispatch({ kind: "due" });
    }
    now = until;
  }

  function happen(event: Happening): void {
    switch (event.do) {
      case "tell": {
        const created = event.old === true ? { created: 1 } : {};
        return dispatch({ kind: "host", event: { sessionID: event.sessionID, events: event.events, ...created } });
      }
      case "ask": {
        const requestID = `p${asked.length}`;
        const { sessionID, about, callID } = event;
        if (!gone.has(sessionID)) asked.push({ sessionID, requestID });
        const ask = { requestID, about, count: 1, ...(callID === undefined ? {} : { callID }) };
        return dispatch({ kind: "host", event: { sessionID, events: [{ kind: "asked", ask }] } });
      }
      case "reply": {
        const ask = asked.at(-1 - event.newest);
        if (ask === undefined) return;
        const named = event.named ? { requestID: ask.requestID } : {};
        return dispatch({
          ...{ kind: "host" },
          event: { sessionID: ask.sessionID, events: [{ kind: "answered", how: event.how, ...named }] },
        });
      }
      case "wait":
        return advance(event.ms);
      case "look": {
        const { terminal, focus, shows, idleMs } = event;
        const view = shows === undefined ? { type: "home" as const } : { type: "session" as const, sessionID: shows };
        seq += 1;
        const report = { focus, view, idleMs };
        const reportedAt = { now, wall: 1_000_000_000 + now };
        presence = new Map(presence).set(terminal, { id: terminal, name: terminal, seq, report, reportedAt });
        return dispatch({ kind: "presence" });
      }
      case "leave": {
        const rest = new Map(presence);
        rest.delete(event.terminal);
        presence = rest;
        return dispatch({ kind: "presence" });
      }
      case "press": {
        const ask = asked.at(-1 - event.newest);
        if (ask === undefined) return;
        const action = event.action === "default" ? "default" : `${event.action}:${ask.requestID}`;
        const from = event.from === undefined ? {} : { from: event.from };
        return dispatch({
          ...{ kind: "note" },
          event: { type: "action", key: `session.${ask.sessionID}`, sessionID: ask.sessionID, action, ...from },
        });
      }
      case "close": {
        const key = `session.${event.sessionID}`;
        if (!up.delete(key)) return;
        const why = event.byPerson ? ("dismissed" as const) : ("expired" as const);
        return dispatch({ kind: "note", event: { type: "closed", key, sessionID: event.sessionID, why } });
      }
      case "mute":
        mutedUntil = event.ms === 0 ? undefined : 1_000_000_000 + now + event.ms;
        return;
      case "configure":
        config = configWith(files[event.file % files.length] ?? {});
        return;
      case "lock":
        locked = event.locked;
        return;
      case "break":
        works = event.channels;
        return;
      case "takeOver":
        state = structuredClone(state);
        return dispatch({ kind: "taken-over" });
      case "hostEnds":
        return dispatch({ kind: "ending", sessionIDs: event.sessionIDs });
    }
  }

  for (const [sessionID, parentID] of Object.entries(parents))
    dispatch({ kind: "host", event: { sessionID, events: [{ kind: "described", title: sessionID, parentID }] } });

  return {
    happen(event: Happening): void {
      if (event.do === "tell" && event.events.some(({ kind }) => kind === "deleted")) gone.add(event.sessionID);
      happen(event);
    },
    advance,
    dispatch,
    now: () => now,
    state: (): State => state,
    become: (next: State): void => {
      state = next;
    },
    decided,
    performed,
    /** What each step wanted done. */
    steps,
    bugs,
    asked,
    gone,
    coming: () => coming.length,
  };
}
