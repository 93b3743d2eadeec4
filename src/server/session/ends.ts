import { within } from "../../shared/within.ts";
import { silentError } from "./errors.ts";
import { lookUpMs } from "./look-ups.ts";
import type { Records, SessionRecord } from "./records.ts";
import type { RegistryDeps } from "./registry.ts";
import { type Shape, shapeOf } from "./round.ts";
import { createTimers } from "./timers.ts";
import { newRound, nextRound, type Round, resting } from "./turn.ts";
import { type Placement, type Verdict, verdictFromFacts, verdictFromShape } from "./verdict.ts";
import type { Waiting } from "./waiting.ts";

/** A child nobody has heard of for this long counts as ended (product.md decision 5). */
const lostChildMs = 30 * 60_000;
/** How long a held end waits for a queued prompt to start its run, ms. */
const queuedMs = 30_000;
const stuckAttempts = 5;

type EndsDeps = RegistryDeps & { records: Records; waiting: Waiting };

/** The start and end of every round: what is a round, when it is over, and what its end deserves. */
export function createEnds(deps: EndsDeps) {
  const { clock, rules, sink, host, log, records, waiting } = deps;
  const settling = createTimers(clock);
  const holding = createTimers(clock);
  const stuck = createTimers(clock);

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
    waiting.clear(record); // a session that runs again cannot wait on an ask of its earlier run
    waiting.lookUps.place(record);
    sink.worksAgain(record.id);
  }

  /** The round that goes on: woken by a result, or by what was queued. A new typed prompt begins another. */
  function continued(record: SessionRecord): Round | undefined {
    const { turn } = record;
    if (turn.phase !== "settling" && turn.phase !== "held") return undefined;
    const { round } = turn;
    const wasQueued = turn.phase === "held" ? turn.for === "more-queued" : round.leftUnread;
    const goesOn = !endsForGood(round) && (wasQueued || record.nextTrigger !== "typed");
    if (!goesOn) {
      if (turn.phase === "settling") tellReplaced(record, round);
      return undefined;
    }
    if (!round.told) sink.deferred(record.id, "more-queued");
    const { error: _, ...rest } = round;
    return { ...rest, seen: false, told: false };
  }

  /** A stop by the person is final, whatever wakes the session afterwards. */
  const endsForGood = (round: Round): boolean =>
    round.dismissed ||
    round.retry !== undefined ||
    (round.error !== undefined && silentError(round.error) !== undefined);

  function tellReplaced(record: SessionRecord, round: Round): void {
    const known = verdictFromFacts(round, placement(record));
    if (known !== undefined) conclude(record, round, known);
    else if (!round.told) sink.silent("done", record.id, "superseded");
  }

  const hasUnread = (record: SessionRecord): boolean => (record.unread?.size ?? 0) > 0;

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
    if (round.error !== undefined) waiting.clear(record); // whatever stopped it took its asks along
    if (placement(record) === "child") conclude(record, round, { silent: "child" });
    else if (!old) settle(record, round);
    familyChanged(record);
  }

  function settle(record: SessionRecord, round: Round): void {
    record.turn = { phase: "settling", round };
    const { settleMs } = rules();
    settling.set(record.id, round.error === undefined ? settleMs.done : settleMs.error, () => judge(record));
  }

  function failed(record: SessionRecord, name: string): void {
    const { turn } = record;
    if (turn.phase !== "working" && turn.phase !== "settling") return;
    record.turn = { phase: turn.phase, round: nextRound(turn.round, { kind: "failed", name }) };
  }

  function judge(record: SessionRecord): void {
    waiting.lookUps.whenPlaced(record, () => {
      if (record.turn.phase !== "settling" || settling.has(record.id)) return;
      const { round } = record.turn;
      record.turn = resting; // what happens from here on is another round's
      const known = verdictFromFacts(round, placement(record));
      if (known !== undefined) return conclude(record, round, known);
      fetchShape(record)
        .then((shape) => conclude(record, round, verdict(record, round, shape)))
        .catch((bug) => log(`verdict: ${String(bug)}`));
    });
  }

  async function fetchShape(record: SessionRecord): Promise<Shape | undefined> {
    const ask = async () => host.messages(record.id);
    const messages = await within(clock, lookUpMs, ask());
    return messages === undefined ? undefined : shapeOf(messages);
  }

  const verdict = (record: SessionRecord, round: Round, shape: Shape | undefined): Verdict =>
    verdictFromShape(
      round,
      {
        shape,
        placement: placement(record),
        childrenRun: childrenRun(record.id),
        moreQueued: round.leftUnread && hasUnread(record),
        pluginStarted: deps.startedAt,
      },
      rules(),
    );

  function conclude(record: SessionRecord, round: Round, verdict: Verdict): void {
    if ("deferred" in verdict) return hold(record, round, verdict.deferred);
    if (round.error !== undefined) waiting.clear(record);
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
    const waitMs = record.turn.for === "more-queued" ? queuedMs : untilNextChildIsLost(record.id);
    holding.set(record.id, waitMs, () => {
      if (record.turn.phase === "held" && record.turn.for === "more-queued") record.unread?.clear();
      recheck(record);
    });
  }

  function recheck(record: SessionRecord): void {
    if (record.turn.phase !== "held") return;
    const waits = record.turn.for === "more-queued" ? hasUnread(record) : childrenRun(record.id);
    if (waits) return watchHeld(record);
    holding.clear(record.id);
    settle(record, record.turn.round);
  }

  /** A member of the family ended or was deleted: its root may be done for good. */
  function familyChanged(record: SessionRecord): void {
    const root = records.get(records.rootOf(record.id));
    if (root !== undefined && root !== record) recheck(root);
  }

  const runs = (child: SessionRecord): boolean =>
    (child.turn.phase === "working" || child.launched) && clock.now() - child.heardAt < lostChildMs;

  function childrenRun(id: string): boolean {
    for (const child of records.below(id)) if (runs(child)) return true;
    return false;
  }

  function untilNextChildIsLost(id: string): number {
    let least = lostChildMs;
    for (const child of records.below(id))
      if (runs(child)) least = Math.min(least, child.heardAt + lostChildMs - clock.now());
    return least;
  }

  function placement(record: SessionRecord): Placement {
    if (typeof record.parentID === "string") return "child";
    return record.parentID === null ? "root" : "unknown";
  }

  function retrying(record: SessionRecord, attempt: number): void {
    const { turn } = record;
    if (turn.phase !== "working") return;
    const round = nextRound(turn.round, { kind: "retrying", attempt, at: clock.now() });
    record.turn = { phase: "working", round };
    watchStuck(record, round);
  }

  function watchStuck(record: SessionRecord, round: Round): void {
    const { retry } = round;
    const { stuckAfterSeconds, settleMs } = rules();
    if (retry === undefined || retry.told || stuckAfterSeconds === 0 || placement(record) === "child") return;
    const dueMs = retry.attempt >= stuckAttempts ? 0 : retry.since + stuckAfterSeconds * 1_000 - clock.now();
    const sameEpisode = retry.since < clock.now();
    if (sameEpisode && stuck.has(record.id) && dueMs > 0) return;
    stuck.set(record.id, Math.max(0, dueMs) + settleMs.error, () => tellStuck(record));
  }

  function tellStuck(record: SessionRecord): void {
    if (record.turn.phase !== "working" || record.turn.round.retry === undefined) return;
    const { round } = record.turn;
    record.turn = { phase: "working", round: { ...round, retry: { ...record.turn.round.retry, told: true } } };
    sink.stuck(record.id, record.turn.round.retry?.attempt ?? stuckAttempts);
  }

  return {
    started,
    ended,
    failed,
    retrying,
    familyChanged,
    forget(record: SessionRecord): void {
      for (const timers of [settling, holding, stuck]) timers.clear(record.id);
      record.turn = resting;
      record.launched = false;
    },
    /** The process ends: no look-up, no further wait. */
    settle(record: SessionRecord): void {
      const { turn } = record;
      if (turn.phase !== "settling" && turn.phase !== "held") return;
      settling.clear(record.id);
      holding.clear(record.id);
      const known = verdictFromFacts(turn.round, placement(record)) ?? verdict(record, turn.round, undefined);
      record.turn = resting;
      if (!("deferred" in known)) return conclude(record, turn.round, known);
      sink.silent("done", record.id, "shutdown");
    },
    stop(): void {
      for (const timers of [settling, holding, stuck]) timers.stop();
    },
    /** Another instance took over: what was waiting goes on waiting. */
    resume(): void {
      for (const record of records.all()) {
        if (record.turn.phase === "settling") settle(record, record.turn.round);
        else if (record.turn.phase === "held") recheck(record);
        else if (record.turn.phase === "working") watchStuck(record, record.turn.round);
      }
    },
  };
}
