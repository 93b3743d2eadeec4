import { createChildren } from "./children.ts";
import { createHeld } from "./held.ts";
import { createJudge } from "./judge.ts";
import { hasUnread, placementOf, type Records, type SessionRecord } from "./records.ts";
import type { Entry, RegistryDeps } from "./registry.ts";
import type { Shape } from "./round.ts";
import { createShapes } from "./shapes.ts";
import { createStuck } from "./stuck.ts";
import { createTimers } from "./timers.ts";
import { endedForGood, newRound, nextRound, type Round, resting, workedUntil } from "./turn.ts";
import type { Verdict } from "./verdict.ts";
import type { Waiting } from "./waiting.ts";

type EndsDeps = RegistryDeps & Entry & { records: Records; waiting: Waiting; beginning(): number };

/** The start and end of every round: what is a round, when it is over, and what its end deserves. */
export function createEnds(deps: EndsDeps) {
  const { clock, rules, sink, records, waiting, enter } = deps;
  const settling = createTimers(clock, enter);
  const shapes = createShapes(deps);
  const stuck = createStuck(deps);
  const children = createChildren(deps);
  const held = createHeld({ ...deps, children, release: settle });
  const judge = createJudge({ ...deps, children });
  const waits = [settling, shapes, stuck, held];

  function started(record: SessionRecord, old: boolean): void {
    record.launched = false;
    if (record.turn.phase === "working") {
      record.turn = { phase: "working", round: nextRound(record.turn.round, { kind: "busyAgain" }) };
      return;
    }
    const round = continued(record) ?? newRound(clock.now(), record.nextTrigger, old);
    delete record.nextTrigger;
    for (const wait of waits) wait.clear(record.id);
    record.turn = { phase: "working", round };
    delete record.toldCalls;
    waiting.clear(record, "resumed"); // a session that runs again cannot wait on an ask of its earlier run
    waiting.lookUps.place(record);
    sink.worksAgain(record.id);
  }

  /** The round that goes on: woken by a result or by what was queued, or a person joins one whose end is put off. */
  function continued(record: SessionRecord): Round | undefined {
    const { turn, nextTrigger } = record;
    if (turn.phase !== "settling" && turn.phase !== "held") return undefined;
    const { round } = turn;
    if (endedForGood(round) || (nextTrigger === "typed" && !isPutOff(record, round))) {
      overtaken(record);
      return undefined;
    }
    if (!round.told) sink.deferred(record.id, "more-queued");
    const { error: _, ...rest } = round;
    return { ...rest, runsSince: clock.now(), seen: false, told: false };
  }

  const isPutOff = (record: SessionRecord, round: Round): boolean =>
    round.told || round.leftUnread || "deferred" in judge.verdict(record, round);

  /** A newer run took its place, or its session is gone: nobody needs a call about this end any more. */
  function overtaken(record: SessionRecord): void {
    if (record.turn.phase !== "settling") return; // one that is held has its line
    const { round } = record.turn;
    const known = judge.facts(record, round);
    if (known !== undefined && "silent" in known) conclude(record, round, known);
    else if (!round.told) conclude(record, round, { silent: "superseded" });
  }

  function ended(record: SessionRecord, old: boolean, legacy: boolean): void {
    // Beside real ends it is a twin, and can come so late that the next round has begun (cases.md O25, O77).
    if (legacy && record.endedAt !== undefined) return;
    if (!legacy) record.endedAt = clock.now();
    record.launched = false;
    const askWaits = waiting.ended(record);
    if (record.turn.phase === "working") settleOrRest(record, { ...record.turn.round, askWaits }, old);
    memberChanged(record);
  }

  function settleOrRest(record: SessionRecord, working: Round, old: boolean): void {
    delete record.calls;
    stuck.clear(record.id);
    const round: Round = { ...working, workedMs: workedUntil(working, clock.now()), leftUnread: hasUnread(record) };
    record.turn = resting;
    if (placementOf(record) === "child") conclude(record, round, { silent: "child" });
    else if (!old) settle(record, round);
  }

  function settle(record: SessionRecord, round: Round): void {
    shapes.clear(record.id);
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
    waiting.lookUps.whenPlaced(record, () => enter(record.id, () => placed(record)));
  }

  function placed(record: SessionRecord): void {
    if (record.turn.phase !== "settling" || settling.has(record.id)) return;
    if (judge.facts(record, record.turn.round) !== undefined) return decide(record);
    shapes.read(record.id, (shape) => decide(record, shape));
  }

  function decide(record: SessionRecord, shape?: Shape): void {
    if (record.turn.phase !== "settling") return;
    const { round } = record.turn;
    const verdict = judge.verdict(record, round, shape);
    const trigger = round.trigger ?? shape?.trigger; // a round that goes on has a longer list, and another answer in it
    record.turn = resting; // what happens from here on is another round's
    conclude(record, trigger === undefined ? round : { ...round, trigger }, verdict);
  }

  function conclude(record: SessionRecord, round: Round, verdict: Verdict): void {
    if ("deferred" in verdict) return held.hold(record, round, verdict.deferred);
    if ("silent" in verdict) {
      const alert =
        round.error === undefined || verdict.silent === "child" || verdict.silent === "dismissed" ? "done" : "error";
      sink.silent(alert, record.id, verdict.silent);
      if (verdict.silent === "aborted" && round.retry?.told === true) sink.seen(record.id); // "still retrying" was read
    } else if (verdict.alert === "done") sink.done(record.id, verdict.workedMs, round.seen);
    else sink.failed(record.id, verdict.name, round.seen);
  }

  function memberChanged(record: SessionRecord): void {
    const rootID = records.rootOf(record.id);
    if (rootID !== record.id) familyChanged(rootID);
  }

  /** Somebody below ended, is gone, or waits for the person no more, or a queued prompt is gone: it may be free to end. */
  const familyChanged = (rootID: string): void => enter(rootID, () => lookAgain(rootID));

  function lookAgain(rootID: string): void {
    const root = records.get(rootID);
    if (root === undefined) return;
    const { turn } = root;
    if (turn.phase === "held") return held.recheck(root);
    const onlyFamily = turn.phase === "settling" && judge.facts(root, turn.round) === undefined;
    if (onlyFamily && !children.anyRuns(rootID)) settle(root, turn.round); // the last one's result may wake it yet
  }

  /** The process ends: nobody waits for subagents or a next run any more. */
  function decideNow(record: SessionRecord, round: Round): void {
    const verdict = judge.verdict(record, round);
    for (const wait of waits) wait.clear(record.id);
    record.turn = resting;
    conclude(record, round, "deferred" in verdict ? { silent: "shutdown" } : verdict);
  }

  function resumeOne(record: SessionRecord): void {
    if (record.turn.phase === "settling") settle(record, record.turn.round);
    else if (record.turn.phase === "held") held.recheck(record);
    else if (record.turn.phase === "working") stuck.watch(record, record.turn.round);
  }

  return {
    started,
    ended,
    failed,
    retrying: stuck.retrying,
    memberChanged,
    familyChanged,
    forget(record: SessionRecord): void {
      overtaken(record);
      for (const wait of waits) wait.clear(record.id);
      record.turn = resting;
      record.launched = false;
    },
    /** After a bug: an end that was still to be judged is told to nobody. `over`: what runs has ended, too. */
    giveUp(record: SessionRecord, over: boolean): void {
      const { turn } = record;
      if (turn.phase === "resting" || (turn.phase === "working" && !over)) return;
      for (const wait of waits) wait.clear(record.id);
      record.turn = resting;
      sink.broken(turn.round.error === undefined ? "done" : "error", record.id);
    },
    /** After a bug: a round runs, whatever became of the one before. */
    beginAnew(record: SessionRecord, old: boolean): void {
      if (record.turn.phase !== "working")
        record.turn = { phase: "working", round: newRound(clock.now(), record.nextTrigger, old) };
      delete record.nextTrigger;
    },
    /** No look-up, no further wait. */
    settle(record: SessionRecord): void {
      const { turn } = record;
      if (turn.phase === "settling" || turn.phase === "held") decideNow(record, turn.round);
    },
    /** A run that ends with its host, which tells nobody (1.18 disposes of its plugins first). */
    abandon(record: SessionRecord): void {
      const { turn } = record;
      record.launched = false;
      if (turn.phase !== "working") return;
      delete record.calls;
      stuck.clear(record.id);
      record.turn = resting;
      conclude(record, turn.round, { silent: placementOf(record) === "child" ? "child" : "shutdown" });
    },
    stop(): void {
      for (const wait of waits) wait.stop();
    },
    /** Another instance took over: what was waiting goes on waiting. */
    resume(): void {
      for (const record of records.all()) enter(record.id, () => resumeOne(record));
    },
  };
}
