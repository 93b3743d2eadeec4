import { openAlert, presenceChanged } from "../../src/server/core/alert.ts";
import { finishedSessions, openRequests } from "../../src/server/core/alert-list.ts";
import type { AlertContent, OpenRequest } from "../../src/server/core/alert-words.ts";
import { bannerClosed } from "../../src/server/core/arrival.ts";
import type { ChannelName, Decision, DeliveredReason, WithdrawnReason } from "../../src/server/core/decision.ts";
import type { Effect } from "../../src/server/core/effect.ts";
import type { Step } from "../../src/server/core/environment.ts";
import { ensureSession, placeBelow } from "../../src/server/core/family.ts";
import type { Input } from "../../src/server/core/input.ts";
import type { Handed, State } from "../../src/server/core/state.ts";
import { newState } from "../../src/server/core/state.ts";
import { closeRequest, forgetAlerts, withdrawEnds } from "../../src/server/core/withdrawal.ts";
import { english } from "../../src/server/core/wording/en.ts";
import { isLocked, type Screen, whatHides } from "../../src/server/delivery/screen.ts";
import { createDispatch } from "../../src/server/runtime/dispatch.ts";
import { takeSnapshot } from "../../src/server/runtime/environment.ts";
import { createGuard } from "../../src/shared/guard.ts";
import { silentLog } from "../../src/shared/log.ts";
import { configWith } from "./config.ts";
import { createHandCrankedClock } from "./hand-cranked-clock.ts";
import { settled } from "./settled.ts";
import { createFakeTerminals } from "./terminals.ts";

export const done: AlertContent = { kind: "done", workedMs: 12_000 };
export const failure: AlertContent = { kind: "error", name: "APIError" };
const request = (requestID: string): OpenRequest => ({ requestID, about: "permission", count: 1 });
export const pause = (...requestIDs: string[]): AlertContent => ({ kind: "pause", requests: requestIDs.map(request) });

const successors = new WeakMap<State, { dispatch?: (input: Input) => void }>();

/** Alerts with everything around them stood in for. A child is `C`, of the root `S`; every other session is a root. */
export function createAlertsStage({
  file = {},
  state: before,
  screen,
}: {
  file?: object;
  state?: State;
  screen?: Screen;
} = {}) {
  const clock = createHandCrankedClock();
  const terminals = createFakeTerminals(clock);
  const decided: Decision[] = [];
  const told: { sessionID: string; alert: AlertContent | undefined; overdue: boolean; channels: string[] }[] = [];
  const refreshed: string[][] = [];
  const takenBack: string[] = [];
  const pushed: string[] = [];
  let config = configWith(file);
  let mutedUntil: number | undefined;
  let answer: Partial<Handed> = {};
  let lasting: ChannelName[] = ["banner"];
  const up = new Map<string, ChannelName[]>();
  const successor: { dispatch?: (input: Input) => void } = {};
  const state = before === undefined ? newState({ now: clock.now(), wall: clock.wall() }) : structuredClone(before);
  const snapshot = () =>
    takeSnapshot({
      clock,
      config: () => config,
      wording: () => english,
      presence: terminals.presence,
      mutedUntil: () => mutedUntil,
      timeZone: "UTC",
      can: { askScreen: screen !== undefined, answer: false, goTo: false, detach: false },
    });

  const arrives = (input: Input): void => (successor.dispatch ?? loop.dispatch)(input);
  const later = (work: () => Promise<Input>): void => void work().then(arrives);

  /** Which alert a delivery is of: the fakes see only what a real channel sees. */
  function telling(delivery: string) {
    const { alertID = "", line, reason } = state.deliveries.get(delivery) ?? {};
    const alert = state.alerts.get(alertID)?.content;
    return { alert: structuredClone(alert), sessionID: line?.sessionID ?? "", overdue: reason === "overdue" };
  }

  function perform(effect: Effect): void {
    switch (effect.do) {
      case "record":
        return void decided.push(effect.decision);
      case "look-up":
        return later(async () => ({
          ...{ kind: "screen-found", lookUp: effect.lookUp },
          locked: screen !== undefined && (await isLocked(screen, clock)),
        }));
      case "send": {
        const { plan, delivery, note } = effect;
        const channels = [...(plan.banner ? ["banner" as const] : []), ...(plan.voice ? ["voice" as const] : [])];
        told.push({ ...telling(delivery), channels });
        const handed = { title: "title", message: note.kind, channels, ...answer };
        up.set(note.sessionID, handed.channels);
        return later(async () => ({ kind: "sent", delivery, handed, hidden: await whatHides(screen, clock) }));
      }
      case "push": {
        const { delivery, note } = effect;
        pushed.push(note.sessionID);
        const handed = { title: "title", message: "pushed", channels: ["push" as const] };
        return later(async () => ({ kind: "sent", delivery, handed, hidden: [] }));
      }
      case "update": {
        const { withdrawal, note } = effect;
        refreshed.push(openRequests(state, note.sessionID).map(({ requestID }) => requestID));
        if (withdrawal === undefined) return;
        const channels = lasting;
        return later(async () => ({ kind: "withdrawn", withdrawal, channels }));
      }
      case "withdraw": {
        const { key, withdrawal } = effect;
        const sessionID = key.replace("session.", "");
        takenBack.push(sessionID);
        const shown = up.get(sessionID) ?? lasting; // by the one before, after a take-over
        up.set(sessionID, []);
        const channels = lasting.filter((channel) => shown.includes(channel));
        if (withdrawal !== undefined) later(async () => ({ kind: "withdrawn", withdrawal, channels }));
        return;
      }
    }
  }

  const loop = createDispatch({ clock, guard: createGuard(silentLog), state, snapshot, perform });
  const forerunner = before === undefined ? undefined : successors.get(before);
  if (forerunner !== undefined) forerunner.dispatch = loop.dispatch;

  /** One step of which the test says itself what happens in it. */
  function act(happen: (step: Step) => void, ending = false): void {
    const step: Step = { state, env: snapshot(), effects: [], ending, heard: 0 };
    happen(step);
    for (const effect of step.effects) perform(effect);
    loop.dispatch({ kind: "due" }); // arms the timer; nothing may be due
  }

  /** Every session is a root under its own name, but `C`. */
  function know(sessionID: string): void {
    if (state.sessions.has(sessionID)) return;
    const session = ensureSession(state, sessionID, clock.now());
    session.title = `title of ${sessionID}`;
    if (sessionID === "C") know("S");
    placeBelow(state, session, sessionID === "C" ? "S" : null);
  }
  for (const sessionID of ["S", "C"]) know(sessionID);

  return {
    clock,
    terminals,
    state,
    told,
    refreshed,
    takenBack,
    pushed,
    decided,
    alerts: {
      state,
      open(alert: AlertContent, sessionID: string, reason: DeliveredReason, requestID?: string, seenByHost = false) {
        know(sessionID);
        const named = requestID === undefined ? {} : { requestID };
        act((step) => openAlert(step, alert, sessionID, { reason, seenByHost, ...named }));
      },
      closed: (sessionID: string, requestID: string, why: WithdrawnReason = "answered") =>
        act((step) => closeRequest(step, sessionID, requestID, why)),
      worksAgain: (sessionID: string) => act((step) => withdrawEnds(step, sessionID, "resumed")),
      seen: (sessionID: string) => act((step) => withdrawEnds(step, sessionID, "seen")),
      forgotten: (sessionID: string) => act((step) => forgetAlerts(step, sessionID)),
      bannerClosed: (sessionID: string, byPerson: boolean) => act((step) => bannerClosed(step, sessionID, byPerson)),
      presenceChanged: () => act(presenceChanged),
      hostEnds: (...sessionIDs: string[]) => loop.dispatch({ kind: "ending", sessionIDs }),
      openRequests: (sessionID: string) => openRequests(state, sessionID),
      finished: () => finishedSessions(state),
      all: () => [...state.alerts.values()],
      resume: () => loop.dispatch({ kind: "taken-over" }),
      stop(): State {
        loop.rest();
        successors.set(state, successor);
        return state;
      },
    },
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
      loop.dispatch({ kind: "presence" });
    },
    leaves: (id: string) => {
      terminals.leaves(id);
      loop.dispatch({ kind: "presence" });
    },
    /** The terminal says again what it said before, its last sign of life that long ago. */
    beats: (id: string, sessionID: string, idleMs: number) => {
      terminals.report(id, { focus: "focused", view: { type: "session", sessionID }, idleMs });
      loop.dispatch({ kind: "presence" });
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
