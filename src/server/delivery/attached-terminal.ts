import type { Delivery, Note, Outlet } from "./channel.ts";

export type TerminalAlert = { key: string; title: string; body: string; urgency: Note["urgency"] };

export type AttachedTerminals = {
  /** Ids of the terminals that may raise it, best first. */
  candidates(note: Note): readonly string[];
  /** True when that terminal says it wrote the alert; false when it cannot, or does not answer. */
  raise(terminalID: string, alert: TerminalAlert): Promise<boolean>;
  /** Whether it is there and of a kind that can. */
  canTakeBack(terminalID: string): boolean;
  takeBack(terminalID: string, key: string): void;
};

/** Each may take 2 s to answer: so many fit into the channel's deadline. */
const mostAsked = 3;
/** Keys whose terminal is remembered. */
const mostRaised = 1_000;

const name = "terminal";
const failed = (reason: "unavailable" | "dropped"): Delivery => ({ ok: false, outlet: name, reason });

/** Exactly one attached terminal raises the alert; the next one is asked only when it does not. */
export function createAttachedTerminal(terminals: AttachedTerminals): Outlet {
  const raisedBy = new Map<string, { terminalID: string; sessionID: string }>();
  const onTheWay = new Map<string, { recalled: boolean }>();

  async function ask(note: Note, ticket: { recalled: boolean }): Promise<Delivery> {
    const { key, title, body, urgency } = note;
    for (const terminalID of terminals.candidates(note).slice(0, mostAsked)) {
      if (ticket.recalled) return failed("dropped");
      if (await terminals.raise(terminalID, { key, title, body, urgency })) {
        remember(note, terminalID);
        return { ok: true, outlet: name, certainty: "written" };
      }
      terminals.takeBack(terminalID, key); // one that sleeps hears both when it wakes, and writes nothing
    }
    return failed("unavailable");
  }

  /** What another terminal raised under this key is old. */
  function remember({ key, sessionID }: Note, terminalID: string): void {
    const before = raisedBy.get(key)?.terminalID;
    if (before !== undefined && before !== terminalID) terminals.takeBack(before, key);
    raisedBy.delete(key); // the newest key goes to the end
    raisedBy.set(key, { terminalID, sessionID });
    const [oldest] = raisedBy.keys();
    if (raisedBy.size > mostRaised && oldest !== undefined) raisedBy.delete(oldest);
  }

  const isUp = (terminalID: string | undefined): boolean =>
    terminalID !== undefined && terminals.canTakeBack(terminalID);

  return {
    name,
    async send(note) {
      const ticket = { recalled: false };
      onTheWay.set(note.key, ticket);
      const delivery = await ask(note, ticket);
      if (onTheWay.get(note.key) === ticket) onTheWay.delete(note.key);
      return delivery;
    },
    async withdraw(key) {
      const ticket = onTheWay.get(key);
      if (ticket !== undefined) ticket.recalled = true;
      const terminalID = raisedBy.get(key)?.terminalID;
      raisedBy.delete(key);
      if (terminalID !== undefined) terminals.takeBack(terminalID, key);
      return isUp(terminalID);
    },
    replaces: async (key) => isUp(raisedBy.get(key)?.terminalID),
    up: () =>
      [...raisedBy].flatMap(([key, { terminalID, sessionID }]) =>
        isUp(terminalID) ? [{ outlet: name, key, sessionID, id: terminalID }] : [],
      ),
    adopt(up) {
      for (const { key, sessionID, id } of up) if (!raisedBy.has(key)) raisedBy.set(key, { terminalID: id, sessionID });
    },
  };
}
