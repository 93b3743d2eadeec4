import type { Handed } from "./deliver.ts";
import type { Alert } from "./words.ts";

/**
 * One alert through its life. deciding: the screen's lock is asked about. watched: held back because somebody looks.
 * shown: handed to channels. Plain data but for `handed`, so that whoever takes over can go on with it.
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
  /** Told because no sign of life came; only one takes it back. */
  unseen?: true;
  handed?: Promise<Handed>;
  /** What `handed` came to. */
  shownAs?: Handed;
  /** Its banner went by itself: there is nothing on the screen to take back. */
  gone?: boolean;
  /** Answered from its banner, with that button. */
  answeredBy?: string;
};
