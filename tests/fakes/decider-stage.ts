import type { Decision } from "../../src/server/core/decision.ts";
import type { SessionEvent } from "../../src/server/core/event.ts";
import { below } from "../../src/server/core/family.ts";
import type { Input } from "../../src/server/core/input.ts";
import type { State } from "../../src/server/core/state.ts";
import { english } from "../../src/server/core/wording/en.ts";
import type { Note, NoteEvent } from "../../src/server/delivery/channel.ts";
import { createDecider, type DeciderDeps } from "../../src/server/runtime/decider.ts";
import { silentLog } from "../../src/shared/log.ts";
import { createFakeChannels } from "./channels.ts";
import { configWith } from "./config.ts";
import { createHandCrankedClock } from "./hand-cranked-clock.ts";
import { createFakeHost } from "./host.ts";
import { settled } from "./settled.ts";
import { createFakeTerminals } from "./terminals.ts";

export type DeciderStageOptions = {
  file?: object;
  state?: State;
  more?: Partial<DeciderDeps>;
  answer?: (sessionID: string, requestID: string, decision: "once" | "reject") => Promise<void>;
  onSend?: (note: Note) => void;
  /** What a stage before this one has up. */
  up?: Set<string>;
};

/** What was set off before a take-over comes back to whoever decides by then. */
const successors = new WeakMap<State, { dispatch?: (input: Input) => void }>();

/** The decider with clock, host, terminals and channels stood in for. A state that is given is copied: it is plain data. */
export function createDeciderStage({ file = {}, state, more = {}, answer, onSend, up }: DeciderStageOptions = {}) {
  const clock = createHandCrankedClock();
  const host = createFakeHost(clock);
  const terminals = createFakeTerminals(clock);
  const fakes = createFakeChannels({
    ...(onSend === undefined ? {} : { onSend }),
    ...(up === undefined ? {} : { up }),
  });
  const decided: Decision[] = [];
  const config = configWith(file);
  const successor: { dispatch?: (input: Input) => void } = {};

  const decider = createDecider({
    clock,
    log: silentLog,
    config: () => config,
    wording: () => english,
    presence: terminals.presence,
    mutedUntil: () => undefined,
    timeZone: "UTC",
    channels: fakes.channels,
    host: answer === undefined ? host.queries : { ...host.queries, answer },
    directory: "/project",
    record: (decision) => void decided.push(decision),
    results: (input) => (successor.dispatch ?? decider.dispatch)(input),
    ...(state === undefined ? {} : { state: structuredClone(state) }),
    ...more,
  });
  if (state !== undefined) {
    const before = successors.get(state);
    if (before !== undefined) before.dispatch = decider.dispatch;
    decider.resume();
  }

  const receive = (event: Extract<Input, { kind: "host" }>["event"]) => decider.dispatch({ kind: "host", event });
  const tell = (sessionID: string, ...events: readonly SessionEvent[]) => receive({ sessionID, events });
  const sessionIDs = () => [...decider.state.sessions.keys()];

  return {
    clock,
    host,
    terminals,
    state: decider.state,
    decided,
    sent: fakes.sent,
    up: fakes.up,
    updated: fakes.updated,
    withdrawn: fakes.withdrawn,
    behave: fakes.behave,
    tell,
    root: (sessionID: string) => tell(sessionID, { kind: "described", title: sessionID, parentID: null }),
    child: (sessionID: string, parentID: string) => tell(sessionID, { kind: "described", title: sessionID, parentID }),
    /** The terminals report something else. */
    presenceChanged: () => decider.dispatch({ kind: "presence" }),
    decider: {
      receive,
      delivered: decider.delivered,
      acted: (event: NoteEvent) => decider.dispatch({ kind: "note", event }),
      /** The host of these sessions ends. */
      settle: (concerns: (sessionID: string) => boolean) =>
        decider.dispatch({ kind: "ending", sessionIDs: sessionIDs().filter(concerns) }),
      session: (sessionID: string) => decider.state.sessions.get(sessionID),
      below: (sessionID: string) => [...below(decider.state, sessionID)],
      /** It decides no more; the state is for the next one. */
      stop(): State {
        decider.rest();
        successors.set(decider.state, successor);
        return decider.state;
      },
    },
    async wait(ms = 0): Promise<void> {
      await settled();
      clock.advance(ms);
      await settled();
    },
    /** Until nothing waits any more: at most a day, an hour at a time. */
    async runOut(): Promise<void> {
      await settled();
      for (let hour = 0; hour < 24 && clock.waiting() > 0; hour += 1) {
        clock.advance(3_600_000);
        await settled();
        await settled();
      }
    },
    /** `session kind outcome reason` of each decision since the last look. */
    news: () =>
      decided
        .splice(0)
        .map(({ sessionID, alert, outcome, reason, requestID }) =>
          [sessionID, alert, outcome, reason, requestID].filter((word) => word !== undefined).join(" "),
        ),
  };
}

export type DeciderStage = ReturnType<typeof createDeciderStage>;
