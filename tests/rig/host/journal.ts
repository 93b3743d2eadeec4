import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDecision, readLine } from "../../../src/server/journal/read-journal.ts";
import type { JournalLine } from "../../scenarios/host-under-test.ts";
import { waitFor } from "./wait-for.ts";

/** All decisions of a journal, oldest first; one still being written is left for the next reading, a torn one for good. */
export function readJournal(stateFolder: string): JournalLine[] {
  const file = join(stateFolder, "journal.jsonl");
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return whole.filter((line) => readLine(line).some(isDecision)).map((line): JournalLine => JSON.parse(line));
}

const inShort = ({ alert, sessionID, requestID, outcome, reason }: JournalLine) =>
  [alert, outcome, reason, sessionID, requestID].filter(Boolean).join(" ");

/** Waits for a line for which the predicate holds; earlier lines count. */
export const awaitLine = (stateFolder: string, predicate: (line: JournalLine) => boolean): Promise<JournalLine> =>
  waitFor(
    () => `a journal line that ${predicate}; there are:\n${readJournal(stateFolder).map(inShort).join("\n")}`,
    () => readJournal(stateFolder).find(predicate),
  );
