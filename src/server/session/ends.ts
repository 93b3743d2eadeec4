import { createChildren } from "./children.ts";
import { createJudge, hasUnread } from "./judge.ts";
import { placementOf, type Records, type SessionRecord } from "./records.ts";
import type { RegistryDeps } from "./registry.ts";
import { createStuck } from "./stuck.ts";
import { createTimers } from "./timers.ts";
import { endedForGood, newRound, nextRound, type Round, resting } from "./turn.ts";
import type { Verdict } from "./verdict.ts";
import type { Waiting } from "./waiting.ts";

/** How long a held end waits for a queued prompt to start its run, ms. */
const queuedMs = 30_000;

type EndsDeps = RegistryDeps & { records: Records; waiting: Waiting };

/** The start and end of every round: what is a round, when it is over, and what its end deserves. */
export function createEnds(deps: EndsDeps) {
  const { clock, rules, sink, records, waiting } = deps;
  const settling = createTimers(clock);
  const holding = createTimers(clock);
  const stuck = createStuck(deps);
  const children = createChildren(deps);
  const judge = createJudge({ ...deps, children });

  function started(record: SessionRecord, old: boolean): void {
    record.launched = false;
    if (record.turn.phase === "working") {
      record.turn = { phase: "working", round: nextRound(record.turn.round, { kind: "busyAgain" }) };
      return;
    }
    const { nextTrigger: trigger } = record;
    const round = continued(record) ?? newRound(clock.now(), trigger, old);
    delete record.nextTrigger;
    settling.clear(record.id);
    holding.clear(record.id);
    record.turn = { phase: "working", round };
    delete record.toldCalls;
    waiting.clear(record, "resumed"); // a session that runs again cannot wait on an ask of its earlier run
    waiting.lookUps.place(record);
    sink.worksAgain(record.id);
  }

  /** The round that goes on: woken by a result, or by what was queued. A new typed prompt begins another. */
  function continued(record: SessionRecord): Round | undefined {
    const { turn } = record;
    if (turn.phase !== "settling" && turn.phase !== "held") return undefined;
    const { round } = turn;
    const wasQueued = turn.phase === "held" ? turn.for === "more-queued" : round.leftUnread;
    const goesOn = !endedForGood(round) && (wasQueued || record.nextTrigger !== "typed");
    if (!goesOn) {
      if (turn.phase === "settling") tellReplaced(record, round);
      return undefined;
    }
    if (!round.told) sink.deferred(record.id, "more-queued");
    const { error: _, ...rest } = round;
    return { ...rest, seen: false, told: false };
  }

  function tellReplaced(record: SessionRecord, round: Round): void {
    const known = judge.facts(record, round);
    if (known !== undefined) conclude(record, round, known);
    else if (!round.told) conclude(record, round, { silent: "superseded" });
  }

  function ended(record: SessionRecord, old: boolean): void {
    record.launched = false;
    if (record.turn.phase !== "working") return;
    delete record.calls;
    stuck.clear(record.id);
    waiting.clearSettling(record);
    const round: Round = {
      ...record.turn.round,
      endedAt: clock.now(),
      askWaits: waiting.familyWaits(record.id),
      leftUnread: hasUnread(record),
    };
    record.turn = resting;
    if (round.error !== undefined) waiting.clear(record, "ended"); // whatever stopped it took its asks along
    if (placementOf(record) === "child") conclude(record, round, { silent: "child" });
    else if (!old) settle(record, round);
    familyChanged(records.rootOf(record.id));
  }

  function settle(record: SessionRecord, round: Round): void {
    record.turn = { phase: "settling", round };
    const { settleMs } = rules();
    settling.set(record.id, round.error === undefined ? settleMs.done : settleMs.error, () => settled(record));
  }

  function failed(record: SessionRecord, name: string): void {
    const { turn } = record;
    if (turn.phase !== "working" && turn.phase !== "settling") return;
    record.turn = { phase: turn.phase, round: nextRound(turn.round, { kind: "failed", name }) };
  }

  function settled(record: SessionRecord): void {
    waiting.lookUps.whenPlaced(record, () => {
      if (record.turn.phase !== "settling" || settling.has(record.id)) return;
      const { round } = record.turn;
      record.turn = resting; // what happens from here on is another round's
      judge.judge(record, round, (verdict) => conclude(record, round, verdict));
    });
  }

  function conclude(record: SessionRecord, round: Round, verdict: Verdict): void {
    if ("deferred" in verdict) return hold(record, round, verdict.deferred);
    if (round.error !== undefined) waiting.clear(record, "ended");
    if ("silent" in verdict) {
      const alert =
        round.error === undefined || verdict.silent === "child" || verdict.silent === "dismissed" ? "done" : "error";
      sink.silent(alert, record.id, verdict.silent);
    } else if (verdict.alert === "done") sink.done(record.id, verdict.workedMs, round.seen);
    else sink.failed(record.id, verdict.name, round.seen);
  }

  function hold(record: SessionRecord, round: Round, reason: "children-running" | "more-queued"): void {
    if (!round.told) sink.deferred(record.id, reason);
    if (record.turn.phase !== "resting") return; // its next run has begun: that end speaks for both
    record.turn = { phase: "held", round: { ...round, told: true }, for: reason };
    watchHeld(record);
  }

  function watchHeld(record: SessionRecord): void {
    if (record.turn.phase !== "held") return;
    const waitMs = record.turn.for === "more-queued" ? queuedMs : children.nextLossMs(record.id);
    holding.set(record.id, waitMs, () => {
      if (record.turn.phase === "held" && record.turn.for === "more-queued") record.unread?.clear();
      recheck(record);
    });
  }

  function recheck(record: SessionRecord): void {
    if (record.turn.phase !== "held") return;
    const waits = record.turn.for === "more-queued" ? hasUnread(record) : children.anyRuns(record.id);
    if (waits) return watchHeld(record);
    holding.clear(record.id);
    settle(record, record.turn.round);
  }

  /** A member of the family ended or was deleted: its root may be done for good. */
  function familyChanged(rootID: string): void {
    const root = records.get(rootID);
    if (root !== undefined) recheck(root);
  }

  const clear = (record: SessionRecord): void => {
    for (const timers of [settling, holding, stuck]) timers.clear(record.id);
  };

  /** The process ends: nobody waits for subagents or a next run any more. */
  function decideNow(record: SessionRecord, round: Round): void {
    const verdict = judge.now(record, round);
    conclude(record, round, "deferred" in verdict ? { silent: "shutdown" } : verdict);
  }

  /** Whoever deletes a session needs no call about its end. */
  function tellDeleted(record: SessionRecord, round: Round): void {
    const known = judge.facts(record, round);
    if (known !== undefined && "silent" in known) conclude(record, round, known);
    else if (!round.told) conclude(record, round, { silent: "superseded" });
  }

  return {
    started,
    ended,
    failed,
    retrying: stuck.retrying,
    familyChanged,
    forget(record: SessionRecord): void {
      const { turn } = record;
      clear(record);
      record.turn = resting;
      record.launched = false;
      for (const { round } of judge.drop(record)) tellDeleted(record, round);
      if (turn.phase === "settling") tellDeleted(record, turn.round);
    },
    /** No look-up, no further wait. */
    settle(record: SessionRecord): void {
      for (const { round } of judge.drop(record)) decideNow(record, round);
      const { turn } = record;
      if (turn.phase !== "settling" && turn.phase !== "held") return;
      clear(record);
      record.turn = resting;
      decideNow(record, turn.round);
    },
    /** What the host was asked about settles again under whoever takes over, unless the session is in its next round. */
    stop(): void {
      for (const timers of [settling, holding, stuck]) timers.stop();
      for (const { record, round } of judge.drop())
        if (record.turn.phase === "resting") record.turn = { phase: "settling", round };
        else decideNow(record, round);
    },
    /** Another instance took over: what was waiting goes on waiting. */
    resume(): void {
      for (const record of records.all()) {
        if (record.turn.phase === "settling") settle(record, record.turn.round);
        else if (record.turn.phase === "held") recheck(record);
        else if (record.turn.phase === "working") stuck.watch(record, record.turn.round);
      }
    },
  };
}
