import type { HostQueries } from "../../runtime/host.ts";
import type { RawInput } from "../../runtime/raw-input.ts";
import { fields } from "../read.ts";
import type { V1Answer, V1Client } from "./host.ts";
import { messageViews } from "./messages.ts";
import { sessionFacts } from "./session-facts.ts";

/** Asks the 1.18 server through the client the host gave us. Rejects when it cannot be asked. `told`: each answer, raw. */
export function createQueries(client: V1Client | undefined, told: (answer: RawInput) => void = () => {}): HostQueries {
  return {
    async session(sessionID) {
      const answer = await client?.session?.get?.({ path: { id: sessionID } });
      if (isMissing(answer)) {
        told({ kind: "missing", sessionID });
        return "missing";
      }
      const session = dataOf(answer);
      told({ kind: "session", sessionID, session });
      return sessionFacts(session);
    },
    async messages(sessionID) {
      const messages = dataOf(await client?.session?.messages?.({ path: { id: sessionID } }));
      told({ kind: "messages", sessionID, messages });
      return messageViews(messages);
    },
    async answer(sessionID, permissionID, response) {
      const answer = await client?.postSessionIdPermissionsPermissionId?.({
        path: { id: sessionID, permissionID },
        body: { response },
      });
      if (answer === undefined || answer.error !== undefined) throw new Error("the permission could not be answered");
    },
  };
}

const isMissing = (answer: V1Answer | undefined): boolean =>
  answer?.response?.status === 404 || fields(answer?.error).name === "NotFoundError";

function dataOf(answer: V1Answer | undefined): unknown {
  if (answer?.data === undefined || answer.data === null) throw new Error("the host gave no answer");
  return answer.data;
}
