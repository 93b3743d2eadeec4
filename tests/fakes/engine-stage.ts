import type { Decision } from "../../src/server/core/decision.ts";
import type { Note } from "../../src/server/delivery/channel.ts";
import { createEngine, type EngineDeps, type EngineState } from "../../src/server/engine.ts";
import { english } from "../../src/server/core/wording/en.ts";
import type { SessionEvent } from "../../src/server/core/event.ts";
import { silentLog } from "../../src/shared/log.ts";
import { createFakeChannels } from "./channels.ts";
import { configWith } from "./config.ts";
import { createHandCrankedClock } from "./hand-cranked-clock.ts";
import { createFakeHost } from "./host.ts";
import { settled } from "./settled.ts";
import { createFakeTerminals } from "./terminals.ts";

export type EngineStageOptions = {
  file?: object;
  state?: EngineState;
  more?: Partial<EngineDeps>;
  onSend?: (note: Note) => void;
  /** What a stage before this one has up. */
  up?: Set<string>;
};

/** The engine with clock, host, terminals and channels stood in for. */
export function createEngineStage({ file = {}, state, more = {}, onSend, up }: EngineStageOptions = {}) {
  const clock = createHandCrankedClock();
  const host = createFakeHost(clock);
  const terminals = createFakeTerminals(clock);
  const fakes = createFakeChannels({
    ...(onSend === undefined ? {} : { onSend }),
    ...(up === undefined ? {} : { up }),
  });
  const decided: Decision[] = [];
  const config = configWith(file);

  const engine = createEngine({
    clock,
    log: silentLog,
    startedAt: clock.wall(),
    config: () => config,
    wording: () => english,
    presence: terminals.presence,
    mutedUntil: () => undefined,
    timeZone: "UTC",
    channels: fakes.channels,
    host: host.queries,
    directory: "/project",
    record: (decision) => void decided.push(decision),
    ...(state === undefined ? {} : { state }),
    ...more,
  });
  if (state !== undefined) engine.resume();

  const tell = (sessionID: string, ...events: readonly SessionEvent[]) => engine.receive({ sessionID, events });

  return {
    clock,
    host,
    terminals,
    engine,
    decided,
    sent: fakes.sent,
    up: fakes.up,
    updated: fakes.updated,
    withdrawn: fakes.withdrawn,
    behave: fakes.behave,
    tell,
    root: (sessionID: string) => tell(sessionID, { kind: "described", title: sessionID, parentID: null }),
    child: (sessionID: string, parentID: string) => tell(sessionID, { kind: "described", title: sessionID, parentID }),
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

export type EngineStage = ReturnType<typeof createEngineStage>;
