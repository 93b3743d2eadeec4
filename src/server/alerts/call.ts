import type { Handed } from "./deliver.ts";
import type { Alert } from "./words.ts";

/**
 * One alert through its life. deciding: the screen's lock is asked about. watched: somebody looks, what is still due
 * waits until they leave. shown: handed to channels. Plain data but for `told`, so that whoever takes over can go on with it.
 */
export type Call = {
  id: string;
  /** Counts up, over take-overs too. */
  serial: number;
  alert: Alert;
  sessionID: string;
  /** The request named in the decision lines. */
  requestID?: string;
  stage: "deciding" | "watched" | "shown";
  reminders: number;
  /** Monotonic ms it was handed to channels or held back. */
  since: number;
  /** Told though a terminal says focused: no sign of life came, or the screen was locked. Only a sign of life takes it back. */
  unseen?: true;
  /** Its voice was heard by somebody who looks: only the banner is still due. */
  heard?: true;
  /** Somebody saw it on the screen: only reminders and messages may still follow. */
  known?: true;
  /** What came of handing it over; its line is written then. */
  told?: Promise<Handed>;
  /** What `told` came to. */
  shownAs?: Handed;
  /** The places of `alerts.push` whose message is dealt with. One object however the call changes: each is told once. */
  pushed: Set<number>;
  /** Its banner went by itself: there is nothing on the screen to take back. */
  gone?: boolean;
  /** Answered from its banner, or from a message. */
  answer?: Answer;
};

/** An answer that was handed to the host. One object however the call changes, so that it is given once. */
export type Answer = {
  /** Where from, and what: "banner: once". */
  by: string;
  /** Whether the host took it; its word may come after the news that the ask is closed. */
  taken: Promise<boolean>;
  /** It did not: another answer may follow. */
  refused?: true;
};
