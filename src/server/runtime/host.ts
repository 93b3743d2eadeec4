import type { SessionFacts } from "../core/input.ts";
import type { MessageView } from "../core/message-history.ts";

/** What we ask of a host. A rejected promise means "not known". */
export type HostQueries = {
  session(sessionID: string): Promise<SessionFacts | "missing">;
  messages(sessionID: string): Promise<readonly MessageView[]>;
  /** Answers a permission in the person's name. Absent where a host offers no way. */
  answer?(sessionID: string, requestID: string, decision: "once" | "reject"): Promise<void>;
};
