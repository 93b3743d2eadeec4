import type { Note, Outlet } from "./channel.ts";

export type TerminalAlert = { key: string; title: string; body: string; urgency: Note["urgency"] };

export type AttachedTerminals = {
  /** Ids of the terminals that may raise it, best first. */
  candidates(note: Note): readonly string[];
  /** True when that terminal says it wrote the alert; false after no answer. */
  raise(terminalID: string, alert: TerminalAlert): Promise<boolean>;
  takeBack(terminalID: string, key: string): void;
};

/** Exactly one attached terminal raises the alert; the next one is asked only when it does not answer. */
export function createAttachedTerminal({ candidates, raise, takeBack }: AttachedTerminals): Outlet {
  const raisedBy = new Map<string, string>();
  return {
    name: "terminal",
    async send(note, signal) {
      const { key, title, body, urgency } = note;
      for (const terminalID of candidates(note)) {
        if (signal.aborted) break;
        if (!(await raise(terminalID, { key, title, body, urgency }))) continue;
        raisedBy.set(key, terminalID);
        return { ok: true, outlet: "terminal", certainty: "written" };
      }
      return { ok: false, outlet: "terminal", reason: "unavailable" };
    },
    async withdraw(key) {
      const terminalID = raisedBy.get(key);
      raisedBy.delete(key);
      if (terminalID !== undefined) takeBack(terminalID, key);
    },
  };
}
