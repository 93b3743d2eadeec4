import type { Ask, HostUnderTest, JournalLine } from "./host-under-test.ts";

/** What a scenario touched: the sessions a person started, and what asked in them or in their children. */
export type Played = { roots: string[]; asks: Ask[] };

/** A story that goes the same way on every host. */
export type Scenario = {
  /** A sentence a user would agree with. */
  title: string;
  /** Done when the host has ended what the story started; decisions may still be on their way. */
  play(host: HostUnderTest): Promise<Played>;
  /** Every decision about it in journal order, as "alert outcome reason"; the alert is left out where it says nothing. */
  decisions: string[];
  /** What the banners of it say, in the order they appear; a banner that only changes its words counts again. Beginnings suffice. */
  shows: string[];
  /** Sessions run side by side: only the set counts. */
  anyOrder?: boolean;
};

/** Says nothing about the story itself: a child's end, and a banner that gave way to a summary of several sessions. */
const besides: JournalLine["reason"][] = ["child", "summarised"];

/** The lines of the journal that belong to a story. */
export const linesOf = (journal: JournalLine[], { roots, asks }: Played): JournalLine[] =>
  journal.filter(
    (line) =>
      !besides.includes(line.reason) &&
      (roots.includes(line.sessionID) || asks.some((ask) => ask.requestID === line.requestID)),
  );

export const inWords = ({ alert, outcome, reason }: JournalLine): string => `${alert} ${outcome} ${reason}`;

/** Whether these lines are exactly the decisions that were to come, once each. */
export function fits(lines: JournalLine[], { decisions, anyOrder = false }: Scenario): boolean {
  const inOrder = (words: string[]) => (anyOrder ? words.toSorted() : words);
  const [got, wanted] = [inOrder(lines.map(inWords)), inOrder(decisions)];
  return got.length === wanted.length && wanted.every((words, index) => got[index]?.endsWith(words));
}

/** Plays it and waits until nothing of it can still be decided. */
export async function playAndSettle(scenario: Scenario, host: HostUnderTest) {
  const played = await scenario.play(host);
  await host.settled();
  return { ...played, lines: linesOf(await host.decisions(), played) };
}
