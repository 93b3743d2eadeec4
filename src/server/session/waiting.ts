import { closeWindow, isOpen, noAsks, settlingAsks, toldAsks, windowOpen, withAsk, withoutAsk } from "./asks.ts";
import type { Ask, Refusal } from "./event.ts";
import { createLookUps } from "./look-ups.ts";
import { type Records, type SessionRecord, waitsForPerson } from "./records.ts";
import type { AskEnd, Entry, RegistryDeps } from "./registry.ts";
import { createTimers } from "./timers.ts";
import { nextRound } from "./turn.ts";

type WaitingDeps = RegistryDeps & Entry & { records: Records; isGone(sessionID: string): boolean };

export type Waiting = ReturnType<typeof createWaiting>;

/** Open asks of every session: one alert per settle window, each request told once. */
export function createWaiting({ clock, rules, sink, host, records, isGone, guard, enter }: WaitingDeps) {
  const timers = createTimers(clock, enter);
  const lookUps = createLookUps({ clock, host, records, isGone, guard });

  function asked(record: SessionRecord, ask: Ask, old: boolean): void {
    if (isOpen(record.asks, ask.requestID)) return;
    if (old) {
      record.asks = withAsk(record.asks, ask, "known", clock.now());
      return;
    }
    if (toldCall(record, ask)) {
      record.asks = withAsk(record.asks, ask, "told", clock.now());
      sink.silent("pause", record.id, "duplicate", ask.requestID);
      return;
    }
    const opens = !windowOpen(record.asks);
    record.asks = withAsk(record.asks, ask, "settling", clock.now());
    markWaiting(record);
    lookUps.place(record);
    if (opens) arm(record);
  }

  /** A permission and the form after it are one alert (contracts/opencode-v2.md 4.4); two permissions of a call are two. */
  const toldCall = ({ toldCalls }: SessionRecord, { about, callID }: Ask): boolean =>
    about === "question" && callID !== undefined && toldCalls?.has(callID) === true;

  const arm = (record: SessionRecord): void =>
    timers.set(record.id, rules().settleMs.pause, () => {
      // A title on its way is worth a moment; never longer than the look-up's own limit.
      lookUps.whenPlaced(record, () => enter(record.id, () => announce(record)));
    });

  function announce(record: SessionRecord): void {
    const { due, asks } = closeWindow(record.asks);
    const [oldest, ...others] = due;
    record.asks = asks;
    if (oldest === undefined) return;
    for (const { about, callID } of due)
      if (about === "permission" && callID !== undefined) record.toldCalls = new Set(record.toldCalls).add(callID);
    sink.asks({ sessionID: record.id, requests: due.map(({ stage: _, askedAt: __, ...ask }) => ask) });
    for (const ask of others) sink.silent("pause", record.id, "batched", ask.requestID);
  }

  function answered(record: SessionRecord, { requestID, how }: { requestID?: string; how: Refusal }): void {
    const closing =
      requestID === undefined ? [...record.asks] : record.asks.filter((ask) => ask.requestID === requestID);
    for (const ask of closing) close(record, ask.requestID);
    if (how === "refused" && closing.length > 0) refuse(record);
  }

  function refuse(record: SessionRecord): void {
    const { turn } = record;
    if (turn.phase !== "resting") record.turn = { ...turn, round: nextRound(turn.round, { kind: "refused" }) };
  }

  function close(record: SessionRecord, requestID: string, why: AskEnd = "answered"): void {
    const ask = record.asks.find((open) => open.requestID === requestID);
    if (ask === undefined) return;
    record.asks = withoutAsk(record.asks, requestID);
    markWaiting(record);
    if (ask.stage === "settling") sink.silent("pause", record.id, "auto-answered", requestID);
    if (ask.stage === "told") sink.closed(record.id, requestID, why);
    if (!windowOpen(record.asks)) timers.clear(record.id);
  }

  /** A new run or a terminal event: nobody can answer these any more. */
  const clear = (record: SessionRecord, why: AskEnd): void => {
    for (const ask of [...record.asks]) close(record, ask.requestID, why);
  };

  /** The session stopped. True: it did so with an ask open; one still inside its window needed nobody. */
  function ended(record: SessionRecord): boolean {
    const open = record.asks.some(({ stage }) => stage !== "settling");
    clear(record, "ended");
    return open;
  }

  /** Does the session itself or one below it wait for the person? */
  function familyWaits(id: string): boolean {
    const own = records.get(id);
    if (own !== undefined && waitsForPerson(own)) return true;
    for (const record of records.below(id)) if (waitsForPerson(record)) return true;
    return false;
  }

  /** The root's round does not count the time the person lets it wait. */
  function markWaiting(record: SessionRecord): void {
    const root = records.get(records.rootOf(record.id));
    if (root === undefined || root.turn.phase === "resting") return;
    const event = { kind: familyWaits(root.id) ? "waits" : "waitsNoMore", at: clock.now() } as const;
    root.turn = { ...root.turn, round: nextRound(root.turn.round, event) };
  }

  return {
    asked,
    answered,
    clear,
    ended,
    lookUps,
    /** After a bug: asks that were still to be told are told to nobody. */
    giveUp(record: SessionRecord): void {
      const lost = settlingAsks(record.asks);
      record.asks = closeWindow(record.asks).asks;
      timers.clear(record.id);
      for (const { requestID } of lost) sink.broken("pause", record.id, requestID);
    },
    /** The process ends: an ask nobody was told of yet cannot be answered either. */
    settle(record: SessionRecord): void {
      for (const ask of settlingAsks(record.asks)) {
        record.asks = withoutAsk(record.asks, ask.requestID);
        sink.silent("pause", record.id, "shutdown", ask.requestID);
      }
      for (const ask of toldAsks(record.asks)) close(record, ask.requestID, "shutdown");
      record.asks = noAsks;
      timers.clear(record.id);
    },
    stop: () => {
      timers.stop();
      lookUps.stop();
    },
    resume: () => {
      for (const record of records.all()) if (windowOpen(record.asks)) enter(record.id, () => arm(record));
    },
  };
}
