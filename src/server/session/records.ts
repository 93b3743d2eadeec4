import { type Asks, noAsks } from "./asks.ts";
import type { Trigger } from "./event.ts";
import type { ToolCalls } from "./tool-calls.ts";
import { resting, type Turn } from "./turn.ts";

/** What is remembered of one session. Plain data: it survives a hot reload of the plugin. */
export type SessionRecord = {
  id: string;
  /** null = a root; undefined = not known yet. */
  parentID?: string | null;
  title?: string;
  directory?: string;
  turn: Turn;
  asks: Asks;
  /** Started in the background and not heard of yet. */
  launched: boolean;
  /** Monotonic ms of its last event. */
  heardAt: number;
  /** Monotonic ms of its last end that was no legacy event. */
  endedAt?: number;
  /** Who started what comes next. */
  nextTrigger?: Trigger;
  promptID?: string;
  userMessageID?: string;
  /** Prompts accepted and not yet read (2.x). */
  unread?: Set<string>;
  calls?: ToolCalls;
  /** Tool calls whose permission was told in this round. */
  toldCalls?: Set<string>;
};

/** unknown: the host has not said yet, or does not know the session. */
export type Placement = "root" | "child" | "unknown";

export function placementOf({ parentID }: SessionRecord): Placement {
  if (typeof parentID === "string") return "child";
  return parentID === null ? "root" : "unknown";
}

/** Something of it waits for the person. */
export const waitsForPerson = ({ asks }: SessionRecord): boolean => asks.length > 0;

/** A prompt was accepted that the host did not read yet. */
export const hasUnread = ({ unread }: SessionRecord): boolean => (unread?.size ?? 0) > 0;

export type Records = ReturnType<typeof createRecords>;

/** The sessions of one process and their tree. Every look-up costs the size of one family at most. */
export function createRecords(seed: readonly SessionRecord[] = []) {
  const byID = new Map<string, SessionRecord>();
  const childrenOf = new Map<string, Set<string>>();

  function leaveParent({ id, parentID }: SessionRecord): void {
    if (typeof parentID !== "string") return;
    const siblings = childrenOf.get(parentID);
    siblings?.delete(id);
    if (siblings?.size === 0) childrenOf.delete(parentID);
  }

  function place(record: SessionRecord, parentID: string | null): void {
    leaveParent(record);
    record.parentID = parentID;
    if (parentID === null) return;
    const siblings = childrenOf.get(parentID) ?? new Set();
    siblings.add(record.id);
    childrenOf.set(parentID, siblings);
  }

  function ensure(id: string, heardAt: number): SessionRecord {
    const known = byID.get(id);
    if (known !== undefined) return known;
    const record: SessionRecord = { id, turn: resting, asks: noAsks, launched: false, heardAt };
    byID.set(id, record);
    return record;
  }

  function remove(id: string): void {
    const record = byID.get(id);
    if (record === undefined) return;
    byID.delete(id);
    leaveParent(record);
  }

  /** The topmost known session above; the session itself when it is a root or not placed. */
  function rootOf(id: string): string {
    const passed = new Set<string>();
    let at = id;
    for (;;) {
      passed.add(at);
      const parentID = byID.get(at)?.parentID;
      if (typeof parentID !== "string" || passed.has(parentID)) return at;
      at = parentID;
    }
  }

  /** Every known session below, without the session itself. */
  function* below(id: string): Generator<SessionRecord> {
    const waiting = [...(childrenOf.get(id) ?? [])];
    const passed = new Set([id]);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (passed.has(next)) continue;
      passed.add(next);
      waiting.push(...(childrenOf.get(next) ?? []));
      const record = byID.get(next);
      if (record !== undefined) yield record;
    }
  }

  for (const record of seed) {
    byID.set(record.id, record);
    if (typeof record.parentID === "string") place(record, record.parentID);
  }

  return {
    get: (id: string) => byID.get(id),
    all: () => byID.values(),
    size: () => byID.size,
    ensure,
    place,
    remove,
    rootOf,
    below,
  };
}
