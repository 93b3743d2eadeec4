import type { Clock } from "../../shared/clock.ts";
import type { Line } from "../hosts/lines.ts";
import type { HostQueries } from "../runtime/host.ts";
import type { TraceLine } from "./trace.ts";

type Messages = Extract<TraceLine, { kind: "messages" }>;
type Session = Extract<TraceLine, { kind: "session" }>;

/** Answers what the trace says the host would answer, in the host's own form, through the line's own readers. */
export function createStandInHost(clock: Clock, line: Line) {
  const sessions = new Map<string, unknown>();
  const messages = new Map<string, Messages>();

  const wait = (ms: number): Promise<void> =>
    ms === 0 ? Promise.resolve() : new Promise((resolve) => void clock.after(ms, resolve));

  const queries: HostQueries = {
    async session(sessionID) {
      const known = sessions.get(sessionID);
      return known === undefined ? "missing" : line.sessionFacts(known);
    },
    async messages(sessionID) {
      const known = messages.get(sessionID);
      if (known === undefined) throw new Error("no messages described");
      await wait(known.delayMs ?? 0);
      if (known.messages === undefined) throw new Error(known.error);
      return line.messageViews(known.messages);
    },
  };

  return {
    queries,
    describeSession({ session, sessionID }: Session): void {
      if (session !== undefined) sessions.set(session.id, session);
      else if (sessionID !== undefined) sessions.delete(sessionID);
    },
    describeMessages(described: Messages): void {
      messages.set(described.sessionID, described);
    },
  };
}
