import type { Log } from "../../shared/log.ts";
import type { Config } from "../config/schema.ts";
import type { NoteEvent } from "../delivery/channel.ts";
import { answerOf, type PermissionAnswer } from "./answer-buttons.ts";
import type { Calls } from "./calls.ts";
import { bannerKey, summaryKey } from "./deliver.ts";
import type { Summary } from "./summary.ts";

export type ReactionsDeps = {
  log: Log;
  config(): Config;
  calls: Pick<Calls, "answer" | "bannerClosed">;
  summary: Pick<Summary, "closedByPerson">;
  /** Brings the session, and the terminal that shows it, in front of the person. */
  goTo?(sessionID: string, token: string | undefined): void;
  /** Answers a permission through the host. Rejects when the host refuses. */
  answer?(sessionID: string, requestID: string, decision: PermissionAnswer["decision"]): Promise<void>;
};

/**
 * What a person does to a banner, or to a message on their phone. An answer counts while the setting that offers it is
 * on, and while the request it was offered for is open; that this very note offered it is known where it was shown.
 */
export function createReactions({ log, config, calls, summary, goTo, answer }: ReactionsDeps) {
  function closed(key: string, sessionID: string, byPerson: boolean): void {
    if (key !== summaryKey) calls.bannerClosed(sessionID, byPerson);
    else if (byPerson) summary.closedByPerson();
  }

  function pressed(sessionID: string, { requestID, decision }: PermissionAnswer, from: "banner" | "push"): void {
    const by = `${from}: ${decision}`;
    if (!isOn(config(), from)) return log(`${by}: answers are switched off, nothing was answered`);
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
    if (button !== undefined && key === bannerKey(sessionID)) pressed(sessionID, button, event.from ?? "banner");
  };
}

/** Of several targets the right one's setting is looked at where the answer was heard. */
const isOn = ({ alerts }: Config, from: "banner" | "push"): boolean =>
  from === "banner" ? alerts.pause.actions : alerts.push.some(({ actions }) => actions);
