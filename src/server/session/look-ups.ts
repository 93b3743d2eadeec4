import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import { within } from "../../shared/within.ts";
import type { Records, SessionRecord } from "./records.ts";
import type { HostQueries } from "./registry.ts";

/** A look-up may delay an alert by this much and no more, ms (cases.md O82). */
export const lookUpMs = 1_000;

/** Asks the host once for what the events did not tell about a session: its parent and its title. */
export function createLookUps({
  clock,
  host,
  records,
  isGone,
  log,
}: {
  clock: Clock;
  host: HostQueries;
  records: Records;
  /** Deleted a while ago: no answer brings a session back. */
  isGone(sessionID: string): boolean;
  log: Log;
}) {
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  const isPlaced = (record: SessionRecord): boolean => record.parentID !== undefined || record.missing === true;

  function place(record: SessionRecord): void {
    if (isPlaced(record) || running.has(record.id)) return;
    const done = within(clock, lookUpMs, ask(record.id)).then((facts) => {
      running.delete(record.id);
      if (stopped) return;
      if (facts === "missing") record.missing = true;
      else if (facts !== undefined) adopt(record, facts);
    });
    running.set(record.id, done);
  }

  // A host that throws at once counts like one that rejects.
  const ask = async (sessionID: string) => host.session(sessionID);

  function adopt(record: SessionRecord, facts: { title?: string; parentID: string | null; directory?: string }): void {
    if (records.get(record.id) !== record) return;
    if (record.parentID === undefined) records.place(record, facts.parentID);
    if (facts.title !== undefined) record.title ??= facts.title;
    if (facts.directory !== undefined) record.directory ??= facts.directory;
    if (facts.parentID !== null && !isGone(facts.parentID)) place(records.ensure(facts.parentID, clock.now()));
  }

  /** Runs at once when nothing is being looked up for the session or its ancestors, else as soon as that has ended. */
  function whenPlaced(record: SessionRecord, run: () => void): void {
    place(record);
    runAfter(record, run);
  }

  function runAfter(record: SessionRecord, run: () => void): void {
    if (stopped) return;
    const pending = running.get(record.id) ?? running.get(records.rootOf(record.id));
    if (pending === undefined) return run();
    pending.then(() => runAfter(record, run)).catch((bug) => log(`look-up: ${String(bug)}`));
  }

  return {
    place,
    whenPlaced,
    /** Whoever takes over asks anew: what is still on its way here changes nothing and sets nothing off. */
    stop: () => {
      stopped = true;
    },
  };
}
