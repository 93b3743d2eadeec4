import type { HostQueries } from "../../runtime/host.ts";
import type { RawInput } from "../../runtime/raw-input.ts";
import type { V2Context } from "./host.ts";
import { messageViews } from "./messages.ts";
import { sessionFacts } from "./session-facts.ts";

type Told = (answer: RawInput) => void;

/**
 * Asks the 2.x host. A rejected `session.get` means unknown or deleted (opencode 2.0.26).
 * `told`: each answer, raw.
 */
export const createQueries = ({ session, permission }: V2Context, told: Told = () => {}): HostQueries => ({
  session: (sessionID) =>
    session.get({ sessionID }).then(
      (answer) => {
        told({ kind: "session", sessionID, session: answer });
        return sessionFacts(answer);
      },
      () => {
        told({ kind: "missing", sessionID });
        return "missing" as const;
      },
    ),
  async messages(sessionID) {
    if (session.context === undefined) throw new Error("this host has no session.context");
    const messages = await session.context({ sessionID });
    told({ kind: "messages", sessionID, messages });
    return messageViews(messages);
  },
  async answer(sessionID, requestID, decision) {
    if (permission?.reply === undefined) throw new Error("this host has no permission.reply");
    await permission.reply({ sessionID, requestID, decision });
  },
});
