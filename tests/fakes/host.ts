import type { SessionFacts } from "../../src/server/core/input.ts";
import type { MessageView } from "../../src/server/core/message-history.ts";
import type { HostQueries } from "../../src/server/runtime/host.ts";
import type { Clock } from "../../src/shared/clock.ts";

type Answer<T> = T | "rejects" | "hangs";

/** A host that answers what the test says, at once or after `delayMs` of the test's clock. Unknown sessions are missing. */
export function createFakeHost(clock: Clock) {
  const sessions = new Map<string, Answer<SessionFacts>>();
  const messages = new Map<string, Answer<readonly MessageView[]>>();
  const asked: string[] = [];
  let delayMs = 0;

  const answer = <T>(value: Answer<T>): Promise<T> => {
    if (value === "hangs") return new Promise(() => {});
    const later = delayMs === 0 ? Promise.resolve() : new Promise<void>((resolve) => clock.after(delayMs, resolve));
    return later.then(() => {
      if (value === "rejects") throw new Error("the host is gone");
      return value;
    });
  };

  const queries: HostQueries = {
    session(sessionID) {
      asked.push(`session ${sessionID}`);
      return answer<SessionFacts | "missing">(sessions.get(sessionID) ?? "missing");
    },
    messages(sessionID) {
      asked.push(`messages ${sessionID}`);
      return answer(messages.get(sessionID) ?? "rejects");
    },
  };

  return {
    queries,
    asked,
    sessions,
    messages,
    delay: (ms: number) => {
      delayMs = ms;
    },
  };
}
