import type { Clock } from "../../shared/clock.ts";
import { cleanBody } from "../../shared/text.ts";
import type { Terminals } from "../focus/shared-relay.ts";

export type TerminalNoticesDeps = {
  clock: Clock;
  /** The attached terminals, by their ids. */
  attached(): Iterable<string>;
  toast: Terminals["toast"];
};

const title = "beckon";
/** Told to the first terminal that comes; more than that many would be a wall. */
const mostWaiting = 5;
/** Characters a person reads in passing; and what a frame takes, in UTF-16 units. */
const longest = 300;
const mostUnits = 590;

/** What a person has to know at once: one toast in each attached terminal. Where there is none, it waits for the first. */
export function createTerminalNotices({ clock, attached, toast }: TerminalNoticesDeps) {
  let waiting: string[] = [];
  let asked = false;

  function tellNow(words: string): boolean {
    const terminals = [...attached()];
    const message = cleanBody(cleanBody(words, longest).slice(0, mostUnits), longest);
    for (const id of terminals) toast(id, message, title);
    return terminals.length > 0;
  }

  function tellWaiting(): void {
    asked = false;
    const told = waiting;
    waiting = [];
    for (const words of told) if (!tellNow(words)) waiting.push(words);
  }

  return {
    tell(words: string): void {
      if (!tellNow(words)) waiting = [...waiting, words].slice(-mostWaiting);
    },
    /** A terminal that has just come can be spoken to a moment later. */
    presenceChanged(): void {
      if (asked || waiting.length === 0) return;
      asked = true;
      clock.after(0, tellWaiting);
    },
  };
}
