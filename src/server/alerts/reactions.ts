import type { Log } from "../../shared/log.ts";
import type { NoteEvent } from "../delivery/channel.ts";
import { answerOf, type PermissionAnswer } from "./answer-buttons.ts";
import type { Calls } from "./calls.ts";
import { summaryKey } from "./deliver.ts";
import type { Summary } from "./summary.ts";

export type ReactionsDeps = {
  log: Log;
  calls: Pick<Calls, "answer" | "bannerClosed">;
  summary: Pick<Summary, "closedByPerson">;
  /** Brings the session, and the terminal that shows it, in front of the person. */
  goTo?(sessionID: string, token: string | undefined): void;
  /** Answers a permission through the host. Rejects when the host refuses. */
  answer?(sessionID: string, requestID: string, decision: PermissionAnswer["decision"]): Promise<void>;
};

/** What a person does to a banner, or to a message on their phone. */
export function createReactions({ log, calls, summary, goTo, answer }: ReactionsDeps) {
  function closed(key: string, sessionID: string, byPerson: boolean): void {
    if (key !== summaryKey) calls.bannerClosed(sessionID, byPerson);
    else if (byPerson) summary.closedByPerson();
  }

  function pressed(sessionID: string, { requestID, decision }: PermissionAnswer, from: "banner" | "push"): void {
    const by = `${from}: ${decision}`;
    const give = async () => answer?.(sessionID, requestID, decision);
    const isGiven = answer !== undefined && calls.answer({ sessionID, requestID, by, give });
    if (!isGiven) log(`${by}: too late, nothing was answered`);
  }

  return (event: NoteEvent): void => {
    const { key, sessionID } = event;
    if (event.type === "closed") return closed(key, sessionID, event.why === "dismissed");
    if (key === summaryKey) return;
    if (event.action === "default") return goTo?.(sessionID, event.token);
    const button = answerOf(event.action);
    if (button !== undefined) pressed(sessionID, button, event.from ?? "banner");
  };
}
