/** Everything that will happen by itself. One of each at a time for a thing: setting it again replaces it. */
export type Due =
  /** The window of a session's new requests ends. */
  | { what: "requests"; id: string }
  /** The window of a round's end is over. */
  | { what: "round"; id: string }
  /** A deferred end is looked at again. */
  | { what: "deferred"; id: string }
  /** A session retries for too long. */
  | { what: "stuck"; id: string }
  /** Nobody waits longer for that answer. */
  | { what: "look-up"; id: string }
  /** Somebody's look at a suppressed alert ends by itself. */
  | { what: "look-ends"; id: string }
  /** They left a suppressed alert for long enough. */
  | { what: "left"; id: string }
  /** Nobody stirred since a suppressed end. */
  | { what: "unseen"; id: string }
  | { what: "remind"; id: string }
  /** A message leaves the machine. `target`: which of `alerts.push`. */
  | { what: "push"; id: string; target: number }
  /** The host said nothing to an answer the person gave. */
  | { what: "answer"; id: string };

type Entry = { at: number; serial: number; key: string; due: Due };

/** Deadlines as plain data: which is the earliest costs nothing, whoever is cancelled stays in the heap until its turn. */
export type Agenda = { entries: Map<string, Entry>; heap: Entry[]; serial: number };

export const emptyAgenda = (): Agenda => ({ entries: new Map(), heap: [], serial: 0 });

const keyOf = (due: Due): string => (due.what === "push" ? `push ${due.id} ${due.target}` : `${due.what} ${due.id}`);

/** `at`: monotonic ms. */
export function schedule(agenda: Agenda, due: Due, at: number): void {
  agenda.serial += 1;
  const entry = { at, serial: agenda.serial, key: keyOf(due), due };
  agenda.entries.set(entry.key, entry);
  push(agenda.heap, entry);
  if (agenda.heap.length > 64 + 2 * agenda.entries.size) compact(agenda);
}

export const cancel = (agenda: Agenda, due: Due): void => void agenda.entries.delete(keyOf(due));

export const isScheduled = (agenda: Agenda, due: Due): boolean => agenda.entries.has(keyOf(due));

/** The deadlines that stand, in no order. */
export const scheduled = (agenda: Agenda): Due[] => [...agenda.entries.values()].map(({ due }) => due);

/** When something is due next, monotonic ms; of the same moment what was set first. */
export const earliest = (agenda: Agenda): number | undefined => first(agenda)?.at;

/** Takes what is due by then, the earliest first; one at a time, for it may cancel the next. */
export function takeDue(agenda: Agenda, now: number): Due | undefined {
  const next = first(agenda);
  if (next === undefined || next.at > now) return undefined;
  pop(agenda.heap);
  agenda.entries.delete(next.key);
  return next.due;
}

function first({ entries, heap }: Agenda): Entry | undefined {
  for (;;) {
    const [top] = heap;
    if (top === undefined || entries.get(top.key)?.serial === top.serial) return top;
    pop(heap);
  }
}

function compact(agenda: Agenda): void {
  agenda.heap = [...agenda.entries.values()].sort((a, b) => (comesFirst(a, b) ? -1 : 1));
}

const comesFirst = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.serial < b.serial);

/** A binary heap in an array: the children of n are 2n + 1 and 2n + 2. */
function push(heap: Entry[], entry: Entry): void {
  let at = heap.length;
  heap.push(entry);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || !comesFirst(entry, parent)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    const below = right !== undefined && left !== undefined && comesFirst(right, left) ? right : left;
    if (below === undefined || !comesFirst(below, last)) break;
    heap[at] = below;
    at = below === right ? 2 * at + 2 : 2 * at + 1;
  }
  heap[at] = last;
}
