import type { Ask, SessionEvent } from "../../src/server/session/event.ts";
import type { SessionRecord } from "../../src/server/session/records.ts";
import { createRegistry, type SessionRules, type SessionSink } from "../../src/server/session/registry.ts";
import { silentLog } from "../../src/shared/log.ts";
import { createHandCrankedClock } from "./hand-cranked-clock.ts";
import { createFakeHost } from "./host.ts";
import { settled } from "./settled.ts";

const defaultRules: SessionRules = {
  work: "tools",
  delegated: "silent",
  minSeconds: 0,
  settleMs: { pause: 350, done: 400, error: 400 },
  stuckAfterSeconds: 60,
};

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

/** The registry with everything around it stood in for; what it decides is one line each. */
export function createSessionStage({
  rules = {},
  seed,
  onDone,
}: {
  rules?: Partial<SessionRules>;
  seed?: SessionRecord[];
  onDone?: (sessionID: string) => void;
} = {}) {
  const clock = createHandCrankedClock();
  const host = createFakeHost(clock);
  const lines: string[] = [];
  const say = (...words: unknown[]): void => void lines.push(words.filter((word) => word !== undefined).join(" "));
  const inForce: SessionRules = { ...defaultRules, ...rules };

  const sink: SessionSink = {
    silent: (alert, sessionID, reason, requestID) => say(sessionID, alert, "silent", reason, requestID),
    deferred: (sessionID, reason) => say(sessionID, "done deferred", reason),
    done: (sessionID, _, seen) => {
      onDone?.(sessionID);
      say(sessionID, "done", seen ? "seen" : undefined);
    },
    failed: (sessionID, name) => say(sessionID, "error", name),
    stuck: (sessionID, attempt) => say(sessionID, "stuck", attempt),
    asks: ({ sessionID, requests }) => say(sessionID, "asks", ...requests.map(({ requestID }) => requestID)),
    closed: (sessionID, requestID) => say(sessionID, "closed", requestID),
    worksAgain: () => {},
    seen: (sessionID) => say(sessionID, "seen"),
    broken: (alert, sessionID, requestID) => say(sessionID, alert, "broken", requestID),
    forgotten: (sessionID) => say(sessionID, "forgotten"),
  };

  const registry = createRegistry({
    clock,
    startedAt: clock.wall(),
    rules: () => inForce,
    host: host.queries,
    sink,
    log: silentLog,
    ...(seed === undefined ? {} : { seed }),
  });

  return {
    clock,
    host,
    lines,
    registry,
    rules: inForce,
    root: (sessionID: string) =>
      registry.receive({ sessionID, events: [{ kind: "described", title: sessionID, parentID: null }] }),
    child: (sessionID: string, parentID: string) =>
      registry.receive({ sessionID, events: [{ kind: "described", title: sessionID, parentID }] }),
    tell: (sessionID: string, ...events: readonly SessionEvent[]) => registry.receive({ sessionID, events }),
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
