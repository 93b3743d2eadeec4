import type { AlertContent } from "../../src/server/core/alert-words.ts";
import type { Effect } from "../../src/server/core/effect.ts";
import type { Ask, SessionEvent } from "../../src/server/core/event.ts";
import { below, rootOf } from "../../src/server/core/family.ts";
import type { Input } from "../../src/server/core/input.ts";
import { newState, type Session, type State } from "../../src/server/core/state.ts";
import { english } from "../../src/server/core/wording/en.ts";
import { createDispatch } from "../../src/server/runtime/dispatch.ts";
import { takeSnapshot } from "../../src/server/runtime/environment.ts";
import { createGuard } from "../../src/shared/guard.ts";
import { silentLog } from "../../src/shared/log.ts";
import { configWith } from "./config.ts";
import { createHandCrankedClock } from "./hand-cranked-clock.ts";
import { createFakeHost } from "./host.ts";
import { settled } from "./settled.ts";

export const permission = (requestID: string, more: Partial<Ask> = {}): SessionEvent => ({
  kind: "asked",
  ask: { requestID, about: "permission", count: 1, ...more },
});
export const tool = (name: string, callID = name): SessionEvent => ({
  kind: "toolEnded",
  callID,
  succeeded: true,
  tool: name,
});
/** A person's prompt, up to and with one step and one finished tool. */
export const working: readonly SessionEvent[] = [
  { kind: "prompted", trigger: "typed" },
  { kind: "started" },
  { kind: "stepStarted" },
  tool("bash"),
];

export type Rules = {
  work?: "tools" | "any";
  delegated?: "silent" | "alert";
  minSeconds?: number;
  stuckAfterSeconds?: number;
  settleMs?: { pause?: number; done?: number; error?: number };
};

const alertsFor = ({ work, delegated, minSeconds, stuckAfterSeconds, settleMs = {} }: Rules): object => ({
  pause: { settleMs: settleMs.pause ?? 350 },
  done: {
    settleMs: settleMs.done ?? 400,
    work: work ?? "tools",
    delegated: delegated ?? "silent",
    minSeconds: minSeconds ?? 0,
  },
  error: { settleMs: settleMs.error ?? 400, stuckAfterSeconds: stuckAfterSeconds ?? 60 },
});

/** What was set off before a take-over comes back to whoever decides by then. */
const successors = new WeakMap<State, { dispatch?: (input: Input) => void }>();

/** Sessions with everything around them stood in for; nobody looks, nothing is shown. What deserves an alert is one line. */
export function createSessionStage({
  rules = {},
  state: before,
  onDone = () => {},
}: {
  rules?: Rules;
  state?: State;
  onDone?: (sessionID: string) => void;
} = {}) {
  const clock = createHandCrankedClock();
  const host = createFakeHost(clock);
  const lines: string[] = [];
  const say = (...words: unknown[]): void => void lines.push(words.filter((word) => word !== undefined).join(" "));
  const config = configWith({ alerts: alertsFor(rules) });
  const state = before === undefined ? newState({ now: clock.now(), wall: clock.wall() }) : structuredClone(before);

  const successor: { dispatch?: (input: Input) => void } = {};
  const later = (what: Promise<Input>, unknown: Input): void =>
    void what.catch(() => unknown).then((input) => (successor.dispatch ?? loop.dispatch)(input));

  function perform(effect: Effect): void {
    switch (effect.do) {
      case "record": {
        const { alert, sessionID, outcome, reason, requestID } = effect.decision;
        return say(sessionID, alert, outcome, reason, requestID);
      }
      case "detach":
      case "send": {
        const delivering = state.deliveries.get(effect.delivery);
        const content = state.alerts.get(delivering?.alertID ?? "")?.content;
        if (content?.kind === "done") onDone(delivering?.line.sessionID ?? "");
        say(delivering?.line.sessionID, wordsFor(content));
        state.deliveries.delete(effect.delivery); // nothing more is heard of it: these are stories of sessions
        return;
      }
      case "close-push":
        return say(effect.sessionID, "closed", effect.requestID);
      case "look-up": {
        const { lookUp } = effect;
        if (effect.what === "session")
          later(
            (async () => ({ kind: "session-found", lookUp, facts: await host.queries.session(effect.sessionID) }))(),
            { kind: "session-found", lookUp },
          );
        if (effect.what === "messages")
          later(
            (async () => ({
              kind: "messages-found",
              lookUp,
              messages: await host.queries.messages(effect.sessionID),
            }))(),
            { kind: "messages-found", lookUp },
          );
      }
    }
  }

  const loop = createDispatch({
    ...{ clock, guard: createGuard(silentLog), state, perform },
    snapshot: () =>
      takeSnapshot({
        clock,
        config: () => config,
        wording: () => english,
        presence: () => new Map(),
        mutedUntil: () => undefined,
        can: { askScreen: false, answer: false, goTo: false, detach: true },
      }),
  });
  const forerunner = before === undefined ? undefined : successors.get(before);
  if (forerunner !== undefined) forerunner.dispatch = loop.dispatch;
  const receive = (event: Extract<Input, { kind: "host" }>["event"]) => loop.dispatch({ kind: "host", event });

  return {
    clock,
    host,
    lines,
    state,
    registry: {
      receive,
      state,
      stop(): void {
        loop.rest();
        successors.set(state, successor);
      },
      resume: () => loop.dispatch({ kind: "taken-over" }),
      /** The host of these sessions ends. */
      settle: (concerns: (session: Session) => boolean) => {
        const ending = [...state.sessions.values()].filter(concerns);
        loop.dispatch({ kind: "ending", sessionIDs: ending.map(({ id }) => id) });
      },
      records: {
        get: (sessionID: string) => state.sessions.get(sessionID),
        size: () => state.sessions.size,
        rootOf: (sessionID: string) => rootOf(state, sessionID),
        below: (sessionID: string) => below(state, sessionID),
      },
    },
    root: (sessionID: string) =>
      receive({ sessionID, events: [{ kind: "described", title: sessionID, parentID: null }] }),
    child: (sessionID: string, parentID: string) =>
      receive({ sessionID, events: [{ kind: "described", title: sessionID, parentID }] }),
    tell: (sessionID: string, ...events: readonly SessionEvent[]) => receive({ sessionID, events }),
    /** Lets time pass, and everything that time sets off. */
    async wait(ms: number): Promise<void> {
      await settled();
      clock.advance(ms);
      await settled();
    },
    /** What has been decided since the last look. */
    news: () => lines.splice(0),
  };
}

function wordsFor(content: AlertContent | undefined): string {
  switch (content?.kind) {
    case "pause":
      return ["asks", ...content.requests.map(({ requestID }) => requestID)].join(" ");
    case "done":
      return "done";
    case "error":
      return "attempt" in content ? `stuck ${content.attempt}` : `error ${content.name}`;
    case undefined:
      return "nothing";
  }
}
