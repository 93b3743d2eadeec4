import type { Clock } from "../../shared/clock.ts";
import type { Guard } from "../../shared/guard.ts";
import { within } from "../../shared/within.ts";
import type { Records, SessionRecord } from "./records.ts";
import type { HostQueries } from "./registry.ts";

/** A look-up may delay an alert by this much and no more, ms (cases.md O82). */
export const lookUpMs = 1_000;

/** Asks the host for what the events did not tell about a session and those above it: parents and titles. */
export function createLookUps({
  clock,
  host,
  records,
  isGone,
  guard,
}: {
  clock: Clock;
  host: HostQueries;
  records: Records;
  /** Deleted a while ago: no answer brings a session back. */
  isGone(sessionID: string): boolean;
  guard: Guard;
}) {
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  /** The family is known up to its root, or the host is asked about the topmost that is known. */
  function place({ id }: SessionRecord): void {
    const topID = records.rootOf(id);
    if (running.has(topID) || isGone(topID)) return;
    const top = records.ensure(topID, clock.now());
    if (top.parentID !== undefined) return; // a root, or parents in a ring
    running.set(topID, learn(topID, top));
  }

  const learn = guard.promising("look-up", undefined, async (topID: string, top: SessionRecord) => {
    const facts = await within(clock, lookUpMs, ask(topID));
    running.delete(topID);
    if (!stopped && facts !== undefined && facts !== "missing") adopt(top, facts);
  });

  // A host that throws at once counts like one that rejects.
  const ask = async (sessionID: string) => host.session(sessionID);

  function adopt(record: SessionRecord, facts: { title?: string; parentID: string | null; directory?: string }): void {
    if (records.get(record.id) !== record) return;
    if (record.parentID === undefined) records.place(record, facts.parentID);
    if (facts.title !== undefined) record.title ??= facts.title;
    if (facts.directory !== undefined) record.directory ??= facts.directory;
    place(record);
  }

  /** Runs at once when nothing is being looked up for the session or its ancestors, else as soon as that has ended. */
  function whenPlaced(record: SessionRecord, run: () => void): void {
    place(record);
    runAfter(record, run);
  }

  function runAfter(record: SessionRecord, run: () => void): void {
    if (stopped) return;
    const pending = running.get(records.rootOf(record.id));
    if (pending === undefined) return run();
    guard.unattended(
      "look-up",
      pending.then(() => runAfter(record, run)),
    );
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
