import type { createChildren } from "./children.ts";
import { hasUnread, type SessionRecord } from "./records.ts";
import type { Entry, RegistryDeps } from "./registry.ts";
import { createTimers } from "./timers.ts";
import type { Round } from "./turn.ts";

/** How long a held end waits for a queued prompt to start its run, ms. */
const queuedMs = 30_000;

type HeldDeps = Pick<RegistryDeps, "clock" | "sink"> &
  Entry & {
    children: ReturnType<typeof createChildren>;
    /** Nothing keeps it back any more. */
    release(record: SessionRecord, round: Round): void;
  };

/** Ends that are put off: the session's subagents still run, or it will run again by itself. */
export function createHeld({ clock, sink, children, release, enter }: HeldDeps) {
  const timers = createTimers(clock, enter);

  function hold(record: SessionRecord, round: Round, reason: "children-running" | "more-queued"): void {
    if (!round.told) sink.deferred(record.id, reason);
    record.turn = { phase: "held", round: { ...round, told: true }, for: reason };
    watch(record);
  }

  function watch(record: SessionRecord): void {
    if (record.turn.phase !== "held") return;
    const waitMs = record.turn.for === "more-queued" ? queuedMs : children.nextLossMs(record.id);
    if (waitMs === undefined) return timers.clear(record.id); // only for the person; their answer is heard of
    timers.set(record.id, waitMs, () => {
      if (record.turn.phase === "held" && record.turn.for === "more-queued") record.unread?.clear();
      recheck(record);
    });
  }

  function recheck(record: SessionRecord): void {
    if (record.turn.phase !== "held") return;
    const waits = record.turn.for === "more-queued" ? hasUnread(record) : children.anyRuns(record.id);
    if (waits) return watch(record);
    timers.clear(record.id);
    release(record, record.turn.round);
  }

  return { hold, recheck, clear: timers.clear, stop: timers.stop };
}
