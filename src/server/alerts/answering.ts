import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import { within } from "../../shared/within.ts";
import type { Answer } from "./call.ts";
import type { CallList } from "./call-list.ts";

export type GivenAnswer = {
  sessionID: string;
  requestID: string;
  /** Where from, and what: "banner: once". */
  by: string;
  /** Rejects when the host refuses. */
  give(): Promise<void>;
};

/** How long a line waits for the host's word on an answer, ms. */
const wordMs = 5_000;

/**
 * Answers a permission from a banner or a message. False: too late, for the ask is open no more, was never told, or an
 * answer to it is on its way.
 */
export function createAnswering({ clock, calls, log }: { clock: Clock; calls: CallList; log: Log }) {
  return ({ sessionID, requestID, by, give }: GivenAnswer): boolean => {
    const call = calls.about(sessionID, requestID);
    if (call?.told === undefined || (call.answer !== undefined && call.answer.refused !== true)) return false;
    const given = give().then(() => true);
    const answer: Answer = { by, taken: within(clock, wordMs, given).then((taken) => taken === true) };
    call.answer = answer;
    given.catch((error) => {
      answer.refused = true;
      log(`${by}: the host refused: ${String(error)}`);
    });
    return true;
  };
}
