import type { Note } from "./channel.ts";

/** `offered`: the actions it has, by their keys. */
export type Shown = { key: string; sessionID: string; id: number; offered: readonly string[] };

type Arrival = Pick<Shown, "id" | "offered"> & { ticket: { recalled: boolean } };

/**
 * Which banner belongs to which note, for daemons that give numbers. A note on its way has a ticket, so that a
 * withdrawal that comes before the number is known is not lost.
 */
export function createShownNotes() {
  const byKey = new Map<string, Shown>();
  const onTheWay = new Map<string, { recalled: boolean }>();
  const forget = (shown: Shown | undefined) => {
    if (shown && byKey.get(shown.key) === shown) byKey.delete(shown.key);
  };
  const byID = (id: number) => [...byKey.values()].find((shown) => shown.id === id);
  return {
    idOf: (key: string): number | undefined => byKey.get(key)?.id,
    byID,
    leaves(key: string) {
      const ticket = { recalled: false };
      onTheWay.set(key, ticket);
      return ticket;
    },
    /** The id is taken back at once when the ticket was recalled: then nothing is remembered. */
    arrived({ key, sessionID }: Note, { id, offered, ticket }: Arrival) {
      forget(byID(id));
      if (!ticket.recalled) byKey.set(key, { key, sessionID, id, offered });
    },
    /** However it ended. */
    settled(key: string, ticket: { recalled: boolean }) {
      if (onTheWay.get(key) === ticket) onTheWay.delete(key);
    },
    /** The id to close, where one is known. */
    recall(key: string): number | undefined {
      const ticket = onTheWay.get(key);
      if (ticket) ticket.recalled = true;
      const id = byKey.get(key)?.id;
      byKey.delete(key);
      return id;
    },
    all: (): Shown[] => [...byKey.values()],
    adopt: (shown: Shown) => void byKey.set(shown.key, shown),
    forget,
    forgetAll: () => byKey.clear(),
  };
}
