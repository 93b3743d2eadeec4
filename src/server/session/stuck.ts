import { placementOf, type SessionRecord } from "./records.ts";
import type { Entry, RegistryDeps } from "./registry.ts";
import { createTimers } from "./timers.ts";
import { nextRound, type Round } from "./turn.ts";

/** So many attempts are told however little time they took (product.md decision 10). */
const stuckAttempts = 5;

/** A host that retries and retries: told once an episode, whatever comes of it. */
export function createStuck({ clock, rules, sink, enter }: Pick<RegistryDeps, "clock" | "rules" | "sink"> & Entry) {
  const timers = createTimers(clock, enter);

  /** `old`: heard of from before the plugin's start. That alone tells nobody. */
  function retrying(record: SessionRecord, attempt: number, old: boolean): void {
    const { turn } = record;
    if (turn.phase !== "working") return;
    const round = nextRound(turn.round, { kind: "retrying", attempt, ...(old ? {} : { at: clock.now() }) });
    record.turn = { phase: "working", round };
    watch(record, round);
  }

  function watch(record: SessionRecord, { retry }: Round): void {
    const { stuckAfterSeconds, settleMs } = rules();
    if (retry?.since === undefined || retry.told || stuckAfterSeconds === 0 || placementOf(record) === "child") return;
    const dueMs = retry.attempt >= stuckAttempts ? 0 : retry.since + stuckAfterSeconds * 1_000 - clock.now();
    const sameEpisode = retry.since < clock.now();
    if (sameEpisode && timers.has(record.id) && dueMs > 0) return;
    timers.set(record.id, Math.max(0, dueMs) + settleMs.error, () => tell(record));
  }

  function tell(record: SessionRecord): void {
    if (record.turn.phase !== "working" || placementOf(record) === "child") return;
    const { round } = record.turn;
    const { retry } = round;
    if (retry === undefined || retry.answering === true) return;
    record.turn = { phase: "working", round: { ...round, retry: { ...retry, told: true } } };
    sink.stuck(record.id, retry.attempt);
  }

  return { retrying, watch, clear: timers.clear, stop: timers.stop };
}
