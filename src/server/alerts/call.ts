import type { Handed } from "./deliver.ts";
import type { Alert } from "./words.ts";

/**
 * One alert through its life. watched: held back because somebody looks at it. shown: handed to channels.
 * Plain data but for `handed`, which a take-over builds again from `shownAs`.
 */
export type Call = {
  id: string;
  alert: Alert;
  sessionID: string;
  /** The request named in the decision lines. */
  requestID?: string;
  stage: "watched" | "shown";
  reminders: number;
  /** Monotonic ms it was handed to channels or held back. */
  since: number;
  handed?: Promise<Handed>;
  /** What `handed` came to. */
  shownAs?: Handed;
  /** Answered from its banner, with that button. */
  answeredBy?: string;
};

/** A call as it was handed over by another engine. */
export const revive = ({ handed: _, ...call }: Call): Call =>
  call.shownAs === undefined ? call : { ...call, handed: Promise.resolve(call.shownAs) };
