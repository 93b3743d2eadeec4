import { isOsc99Answer, osc99Query } from "../shared/terminal-notification.ts";
import type { Screen } from "./terminal-host.ts";

export type Osc99Question = {
  /** False until the terminal has said yes. One that does not know OSC 99 never answers. */
  answered(): boolean;
  forget(): void;
};

/**
 * Asks the terminal whether it knows OSC 99, the one way that replaces and takes back. The host asked too, before we
 * were loaded, and does not tell what it heard.
 */
export function askForOsc99({ onSequence, write }: Pick<Screen, "onSequence" | "write">): Osc99Question {
  let answered = false;
  if (onSequence === undefined) return { answered: () => answered, forget: () => {} }; // it would be typed into the host
  const forget = onSequence((sequence) => {
    if (!isOsc99Answer(sequence)) return false;
    answered = true;
    return true;
  });
  write(osc99Query);
  return { answered: () => answered, forget };
}
