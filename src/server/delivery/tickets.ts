export type Ticket = { recalled: boolean };

/** What was asked for and is not done yet, by key: taking it back in the meantime marks its ticket. */
export function createTickets() {
  const pending = new Map<string, Set<Ticket>>();
  return {
    async during<T>(key: string, work: (ticket: Ticket) => Promise<T>): Promise<T> {
      const ticket = { recalled: false };
      const others = pending.get(key) ?? new Set();
      pending.set(key, others.add(ticket));
      try {
        return await work(ticket);
      } finally {
        others.delete(ticket);
        if (others.size === 0) pending.delete(key);
      }
    },
    recall(key: string): void {
      for (const ticket of pending.get(key) ?? []) ticket.recalled = true;
    },
  };
}
