import type { Ask } from "../../scenarios/host-under-test.ts";
import type { HostClient } from "./host-client.ts";
import type { HostEvents } from "./host-events.ts";
import { waitFor } from "./wait-for.ts";

/** What waits for a person on the real host, each handed out once, and the ways to answer it. */
export function createAsks({ client, events }: { client: HostClient; events: HostEvents }) {
  const handedOut = new Set<string>();

  function nextAsk(sessionID?: string): Promise<Ask> {
    const isNext = (ask: Ask) =>
      !handedOut.has(ask.requestID) && (sessionID === undefined || ask.sessionID === sessionID);
    return waitFor(`an ask of ${sessionID ?? "any session"}`, () => {
      const ask = events.asks().find(isNext);
      if (ask !== undefined) handedOut.add(ask.requestID);
      return ask;
    });
  }

  return {
    nextAsk,
    reply: async (requestID: string, answer: "once" | "always" | "reject", message?: string) =>
      void (await client.replyPermission(requestID, answer, message)),
    answer: async (requestID: string) => void (await client.answerQuestion(requestID, events.firstOptions(requestID))),
    dismiss: async (requestID: string) => void (await client.rejectQuestion(requestID)),
  };
}
