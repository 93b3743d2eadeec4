import { printableJSON } from "../../../shared/text.ts";
import { stateDir } from "../../config/location.ts";
import { journalPath } from "../../journal/journal-path.ts";
import { type JournalEntry, journalProblem, readEntry, readJournal } from "../../journal/read-journal.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { shortPath } from "../short-path.ts";
import { decisionWords } from "../why-words.ts";
import { followLines } from "./follow-lines.ts";
import { dayLine, whyLine } from "./why-line.ts";

export type WhyOptions = { last: number; follow: boolean; json: boolean };

/** Prints what was decided and why; `session` is an id, the start of one, or a part of a title. */
export async function whyCommand(session: string | undefined, options: WhyOptions, context: Context): Promise<number> {
  const { out, place } = context;
  const state = stateDir(place);
  const problem = await journalProblem(state);
  if (problem !== undefined) {
    out.complain(`beckon: ${problem}\n`);
    return exitCode.finding;
  }
  const isWanted = (entry: JournalEntry) => session === undefined || belongsTo(entry, session);
  const added = options.follow ? await followLines(journalPath(state), context.signal) : undefined; // opened first: none is missed
  const entries = (await readJournal({ stateDir: state })).filter(isWanted);
  const show = options.json ? showJson(context) : showText(context);
  entries.slice(Math.max(0, entries.length - options.last)).forEach(show);
  if (added !== undefined) {
    const known = new Set(entries.map((entry) => JSON.stringify(entry)));
    const isNew = (entry: JournalEntry) => isWanted(entry) && !known.delete(JSON.stringify(entry));
    for await (const line of added) readEntry(line).filter(isNew).forEach(show);
    return exitCode.done;
  }
  if (entries.length > 0) return exitCode.done;
  const path = shortPath(journalPath(state), place.home);
  const about = session === undefined ? "No decision has been made yet" : `No decision about «${session}»`;
  out.complain(`beckon: ${about} (${path}). Is the plugin loaded? See: beckon doctor\n`);
  return exitCode.finding;
}

function belongsTo({ sessionID, title = "" }: JournalEntry, session: string): boolean {
  return sessionID.startsWith(session) || title.toLowerCase().includes(session.toLowerCase());
}

const showJson =
  ({ out }: Context) =>
  (entry: JournalEntry): void =>
    out.write(`${printableJSON({ ...entry, words: decisionWords(entry.outcome, entry.reason) })}\n`);

function showText({ out }: Context): (entry: JournalEntry) => void {
  const paint = createPaint(out.colour);
  let day = "";
  return (entry) => {
    const heading = dayLine(entry, paint);
    if (heading !== day) out.write(`${day === "" ? "" : "\n"}${heading}`);
    day = heading;
    out.write(whyLine(entry, paint));
  };
}
