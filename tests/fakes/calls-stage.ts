import type { Call } from "../../src/server/alerts/call.ts";
import { type CallsDeps, createCalls } from "../../src/server/alerts/calls.ts";
import type { ChannelName, Decision } from "../../src/server/core/decision.ts";
import type { Handed } from "../../src/server/delivery/deliver.ts";
import type { Alert, OpenRequest } from "../../src/server/core/alert-words.ts";
import { silentLog } from "../../src/shared/log.ts";
import { configWith } from "./config.ts";
import { createHandCrankedClock } from "./hand-cranked-clock.ts";
import { settled } from "./settled.ts";
import { createFakeTerminals } from "./terminals.ts";

export const done: Alert = { kind: "done", workedMs: 12_000 };
export const failure: Alert = { kind: "error", name: "APIError" };
const request = (requestID: string): OpenRequest => ({ requestID, about: "permission", count: 1 });
export const pause = (...requestIDs: string[]): Alert => ({ kind: "pause", requests: requestIDs.map(request) });

/** Alerts with everything around them stood in for. A child is `C`, of the root `S`; every other session is a root. */
export function createCallsStage({
  file = {},
  seed,
  more = {},
}: {
  file?: object;
  seed?: readonly Call[];
  more?: Partial<CallsDeps>;
} = {}) {
  const clock = createHandCrankedClock();
  const terminals = createFakeTerminals(clock);
  const decided: Decision[] = [];
  const told: { sessionID: string; alert: Alert; overdue: boolean; channels: string[] }[] = [];
  const refreshed: string[][] = [];
  const takenBack: string[] = [];
  const pushed: string[] = [];
  let config = configWith(file);
  let mutedUntil: number | undefined;
  let answer: Partial<Handed> = {};
  let lasting: ChannelName[] = ["banner"];
  const up = new Map<string, ChannelName[]>();

  const calls = createCalls({
    clock,
    log: silentLog,
    config: () => config,
    presence: terminals.presence,
    mutedUntil: () => mutedUntil,
    timeZone: "UTC",
    subject: (sessionID) => ({
      sessionID,
      rootID: sessionID,
      title: `title of ${sessionID}`,
      name: `title of ${sessionID}`,
      project: "app",
    }),
    rootOf: (sessionID) => (sessionID === "C" ? "S" : sessionID),
    async deliver({ call, plan, overdue }) {
      const channels = [...(plan.banner ? ["banner" as const] : []), ...(plan.voice ? ["voice" as const] : [])];
      told.push({ sessionID: call.sessionID, alert: call.alert, overdue, channels });
      const handed = { title: "title", message: call.alert.kind, channels, ...answer };
      up.set(call.sessionID, handed.channels);
      return handed;
    },
    async push({ call }) {
      pushed.push(call.sessionID);
      return { title: "title", message: "pushed", channels: ["push"] };
    },
    async refresh({ requests }) {
      refreshed.push(requests.map(({ requestID }) => requestID));
      return lasting;
    },
    async takeBack(sessionID) {
      takenBack.push(sessionID);
      const shown = up.get(sessionID) ?? lasting; // by the one before, after a take-over
      up.set(sessionID, []);
      return lasting.filter((channel) => shown.includes(channel));
    },
    record: (decision) => void decided.push(decision),
    ...(seed === undefined ? {} : { seed }),
    ...more,
  });

  return {
    clock,
    calls,
    terminals,
    told,
    refreshed,
    takenBack,
    pushed,
    decided,
    configure: (next: object) => {
      config = configWith(next);
    },
    mute: (until: number | undefined) => {
      mutedUntil = until;
    },
    channelsAnswer: (handed: Partial<Handed>) => {
      answer = handed;
    },
    /** On which channels something can be taken back or changed. */
    canTakeBack: (...channels: ChannelName[]) => {
      lasting = channels;
    },
    /** A report of a terminal reaches the relay. */
    shows: (id: string, sessionID: string, rootID?: string) => {
      terminals.shows(id, sessionID, rootID);
      calls.presenceChanged();
    },
    leaves: (id: string) => {
      terminals.leaves(id);
      calls.presenceChanged();
    },
    /** The terminal says again what it said before, its last sign of life that long ago. */
    beats: (id: string, sessionID: string, idleMs: number) => {
      terminals.report(id, { focus: "focused", view: { type: "session", sessionID }, idleMs });
      calls.presenceChanged();
    },
    async wait(ms = 0): Promise<void> {
      await settled();
      clock.advance(ms);
      await settled();
    },
    /** `kind outcome reason` of each decision since the last look. */
    news: () =>
      decided
        .splice(0)
        .map(({ alert, outcome, reason, requestID }) =>
          [alert, outcome, reason, requestID].filter((word) => word !== undefined).join(" "),
        ),
  };
}
