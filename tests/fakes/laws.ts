import { expect } from "vitest";
import { scheduled } from "../../src/server/core/agenda.ts";
import type { Decision } from "../../src/server/core/decision.ts";
import { isStranded } from "../../src/server/core/recovery.ts";
import type { State } from "../../src/server/core/state.ts";
import { createLife, type Delays, type Happening, type Life, sessionIDs } from "./life.ts";

export const day = 24 * 3_600_000;

/** What the test itself knows of a life, without the core: who was busy, and whose run ended. */
function createWitness() {
  const busy = new Set<string>();
  const gone = new Set<string>();
  const ended = new Map<string, number>();
  const end = (sessionID: string): void => {
    if (busy.delete(sessionID)) ended.set(sessionID, (ended.get(sessionID) ?? 0) + 1);
  };
  return {
    ended,
    saw(event: Happening): void {
      if (event.do === "hostEnds") for (const sessionID of event.sessionIDs) end(sessionID);
      if (event.do !== "tell" || gone.has(event.sessionID)) return;
      for (const { kind } of event.events) {
        if (kind === "started") busy.add(event.sessionID);
        if (kind === "ended") end(event.sessionID);
        if (kind === "deleted") {
          gone.add(event.sessionID);
          busy.delete(event.sessionID);
        }
      }
    },
  };
}

export function play(steps: readonly Happening[], waits: Delays, life: Life = createLife(waits)) {
  const witness = createWitness();
  for (const each of steps) {
    witness.saw(each);
    life.happen(each);
    checkAgenda(life.state());
  }
  life.advance(day);
  return { life, witness };
}

const aboutRequest = (lines: readonly Decision[], requestID: string): Decision[] =>
  lines.filter((line) => line.requestID === requestID && line.outcome !== "withdrawn");

/** Called for the first time; reminders and messages are others. */
const isFirstTelling = ({ outcome, reason, channels }: Decision): boolean =>
  outcome === "delivered" && (reason === "unattended" || reason === "left") && !channels.includes("push");

/** Law 1: every ask and every busy period has a line that says what became of it, and never two. */
export function checkLines({ life, witness }: ReturnType<typeof play>, { once = true } = {}): void {
  for (const { requestID } of life.asked) {
    const lines = aboutRequest(life.decided, requestID);
    expect(lines.length, `${requestID} has a line`).toBeGreaterThan(0);
    if (!once) continue;
    const silent = lines.filter(({ outcome, reason }) => outcome === "silent" && reason !== "batched");
    expect(silent.length, `${requestID} is silent once`).toBeLessThanOrEqual(1);
  }
  for (const sessionID of sessionIDs) {
    const lines = life.decided.filter(
      (line) => line.sessionID === sessionID && line.alert !== "pause" && line.outcome !== "withdrawn",
    );
    const isOwn = ({ reason, channels }: Decision): boolean =>
      reason !== "stuck" && reason !== "unseen" && reason !== "overdue" && !channels.includes("push");
    const own = lines.filter(isOwn);
    const final = own.filter(({ outcome }) => outcome !== "deferred" && outcome !== "failed");
    const periods = witness.ended.get(sessionID) ?? 0;
    expect(own.length, `${sessionID}'s ${periods} ends have lines`).toBeGreaterThanOrEqual(periods);
    if (once)
      expect(final.length, `${sessionID}'s ${periods} ends are told once`).toBeLessThanOrEqual(
        periods + stuckTold(lines),
      );
  }
}

/** A stuck alert that failed, or met a gate, is a line about the session as well. */
const stuckTold = (lines: readonly Decision[]): number =>
  lines.filter(({ alert, outcome }) => alert === "error" && outcome !== "deferred").length;

/** Law 3: no deadline belongs to something that is gone or does not wait; whatever waits has what wakes it. */
function checkAgenda(state: State): void {
  for (const due of scheduled(state.agenda)) expect(isWaitedFor(state, due), `${due.what} ${due.id}`).toBe(true);
  for (const alert of state.alerts.values()) expect(isStranded(state, alert), `${alert.id} is stranded`).toBe(false);
}

function isWaitedFor(state: State, due: ReturnType<typeof scheduled>[number]): boolean {
  const session = state.sessions.get(due.id);
  const alert = state.alerts.get(due.id);
  switch (due.what) {
    case "requests":
      return session?.requests.some(({ stage }) => stage === "settling") === true;
    case "round":
      return session?.turn.phase === "settling";
    case "deferred":
      return session?.turn.phase === "deferred";
    case "stuck":
      return session?.turn.phase === "running";
    case "look-up":
      return state.lookUps.has(due.id);
    case "look-ends":
    case "left":
    case "unseen":
      return alert?.stage === "suppressed";
    case "remind":
    case "push":
      return alert?.stage === "shown";
    case "answer":
      return [...state.alerts.values(), ...state.withdrawals.values()].some(({ answer }) => answer?.id === due.id);
  }
}

/** Law 6: nobody is called twice about one thing, but by the reminders they asked for. */
export function checkTold({ life }: ReturnType<typeof play>): void {
  for (const { requestID } of life.asked)
    expect(
      aboutRequest(life.decided, requestID).filter(isFirstTelling).length,
      `${requestID} is told once`,
    ).toBeLessThanOrEqual(1);
}

/** Law 5: one thing that happens makes one pop-up of a kind and session at most. */
export function checkPopUps({ steps }: Life): void {
  for (const effects of steps) {
    const shown = effects.flatMap((effect) =>
      (effect.do === "send" && effect.plan.banner) || effect.do === "show"
        ? [`${effect.note.key} ${effect.note.kind}`]
        : [],
    );
    expect(shown.length, "pop-ups of one session in one step").toBe(new Set(shown).size);
  }
}
