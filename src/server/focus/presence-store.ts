import type { Clock } from "../../shared/clock.ts";
import { isLive, type Presence, type Terminal, withoutTerminal, withReport } from "./presence.ts";

export type Heard = Omit<Terminal, "reportedAt">;

/** The one place where reports end up, by socket or by plugin call. */
export type PresenceStore = {
  presence(): Presence;
  /**
   * False when there is no room: a terminal beyond the limit is not known, so it never silences anything.
   * `fresh`: the first word of a connection, which starts its own count of `seq`.
   */
  report(terminal: Heard, fresh?: "fresh"): boolean;
  forget(id: string): void;
};

export type PresenceStoreDeps = {
  clock: Clock;
  maxTerminals(): number;
  onPresence(presence: Presence): void;
};

export function createPresenceStore({ clock, maxTerminals, onPresence }: PresenceStoreDeps): PresenceStore {
  let presence: Presence = new Map();

  function become(next: Presence): void {
    if (next === presence) return;
    presence = next;
    onPresence(next);
  }

  /** Whoever has not been heard of for 30 s gives up its place. */
  function hasRoom(id: string): boolean {
    if (presence.has(id) || presence.size < maxTerminals()) return true;
    const at = { now: clock.now(), wall: clock.wall() };
    for (const known of presence.values()) if (!isLive(known, at)) become(withoutTerminal(presence, known.id));
    return presence.size < maxTerminals();
  }

  return {
    presence: () => presence,
    report(terminal, fresh) {
      if (!hasRoom(terminal.id)) return false;
      const before = fresh === undefined ? presence : withoutTerminal(presence, terminal.id);
      become(withReport(before, { ...terminal, reportedAt: { now: clock.now(), wall: clock.wall() } }));
      return true;
    },
    forget(id) {
      become(withoutTerminal(presence, id));
    },
  };
}
