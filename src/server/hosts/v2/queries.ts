import type { HostQueries } from "../../session/registry.ts";
import type { V2Context } from "./host.ts";
import { messageViews } from "./messages.ts";
import { sessionFacts } from "./session-facts.ts";

/** Asks the 2.x host. A rejected `session.get` means unknown or deleted (contracts/opencode-v2.md section 3.1). */
export const createQueries = ({ session, permission }: V2Context): HostQueries => ({
  session: (sessionID) => session.get({ sessionID }).then(sessionFacts, () => "missing" as const),
  async messages(sessionID) {
    if (session.context === undefined) throw new Error("this host has no session.context");
    return messageViews(await session.context({ sessionID }));
  },
  async answer(sessionID, requestID, decision) {
    if (permission?.reply === undefined) throw new Error("this host has no permission.reply");
    await permission.reply({ sessionID, requestID, decision });
  },
});
