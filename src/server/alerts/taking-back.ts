import type { Clock } from "../../shared/clock.ts";
import type { Call } from "./call.ts";
import { droppedLine, lineOf } from "./call-lines.ts";
import type { CallList } from "./call-list.ts";
import type { ChannelName, Decision, WithdrawnReason } from "./decision.ts";
import type { Subject } from "./subject.ts";
import type { Unfinished } from "./unfinished.ts";
import type { OpenRequest } from "./words.ts";

export type TakingBackDeps = {
  clock: Clock;
  calls: CallList;
  unfinished: Unfinished;
  subject(sessionID: string): Subject;
  /** What is up changes its text: the channels on which it did. Never shows anything anew. */
  refresh(request: { subject: Subject; requests: readonly OpenRequest[] }): Promise<ChannelName[]>;
  /** The channels from which something was taken back. */
  takeBack(sessionID: string): Promise<ChannelName[]>;
  /** Forgets a call and its timers. */
  drop(call: Call): void;
  record(decision: Decision): void;
  changed?(): void;
};

/** An alert that has become pointless goes from the screen, wholly or by one of its requests. */
export function createTakingBack(deps: TakingBackDeps) {
  const { clock, calls, record, unfinished } = deps;

  /** At once; the line follows the one of its delivery, and only where something really went. */
  function withdraw(call: Call, reason: WithdrawnReason): void {
    deps.drop(call);
    if (call.stage === "deciding") record(droppedLine(call, clock.now()));
    takeFromScreen(call, reason);
  }

  function takeFromScreen(call: Call, reason: WithdrawnReason): void {
    if (call.told === undefined) return;
    unfinished.add("withdrawal", tellWhatWent(call, reason, clock.now(), [call.told, takeAway(call)]));
    deps.changed?.();
  }

  async function tellWhatWent(
    call: Call,
    reason: WithdrawnReason,
    at: number,
    told: [NonNullable<Call["told"]>, Promise<ChannelName[]>],
  ): Promise<void> {
    const [{ title, message }, channels] = await Promise.all(told);
    const by = reason === "answered" && (await call.answer?.taken) ? call.answer?.by : undefined;
    if (channels.length === 0 && by === undefined) return; // from its own banner it was answered, gone or not
    const answered = by === undefined ? {} : { by };
    record({ ...lineOf(call, at), outcome: "withdrawn", reason, channels, title, message, ...answered });
  }

  /** One session has one banner: it goes with the last alert it tells of. A newer one may have taken its place. */
  async function takeAway({ sessionID, alert, known }: Call): Promise<ChannelName[]> {
    if (calls.newestShown(sessionID) === undefined) return deps.takeBack(sessionID);
    return alert.kind === "pause" && known !== true ? showRest(sessionID) : [];
  }

  /** The banner names what is still open. */
  async function showRest(sessionID: string): Promise<ChannelName[]> {
    if (calls.newestShown(sessionID)?.alert.kind !== "pause") return [];
    return deps.refresh({ subject: deps.subject(sessionID), requests: calls.openRequests(sessionID) });
  }

  return {
    withdraw,
    takeFromScreen,
    withdrawEnds(sessionID: string, reason: WithdrawnReason): void {
      for (const call of calls.endsOf(sessionID)) withdraw(call, reason);
    },
    /** One request of a told pause is open no more. */
    closed(sessionID: string, requestID: string, why: WithdrawnReason = "answered"): void {
      const call = calls.about(sessionID, requestID);
      if (call === undefined || call.alert.kind !== "pause") return;
      const requests = call.alert.requests.filter((open) => open.requestID !== requestID);
      if (requests.length === 0) return withdraw(call, why);
      calls.put({ ...call, ...nowAbout(call, requests) });
      unfinished.add("refresh", showRest(sessionID));
    },
  };
}

/** A line that is still to come names the oldest request still open; one that was told keeps its name. */
const nowAbout = (call: Call, requests: readonly OpenRequest[]): Partial<Call> => ({
  alert: { kind: "pause", requests },
  ...(call.stage === "shown" || requests[0] === undefined ? {} : { requestID: requests[0].requestID }),
});
