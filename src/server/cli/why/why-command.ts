import { printableJSON } from "../../../shared/text.ts";
import { stateDir } from "../../config/location.ts";
import { journalPath } from "../../journal/journal-path.ts";
import {
  isDecision,
  type JournalChange,
  type JournalLine,
  journalProblem,
  readJournalLines,
  readLine,
} from "../../journal/read-journal.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { shortPath } from "../short-path.ts";
import { decisionWords } from "../why-words.ts";
import { followLines } from "./follow-lines.ts";
import { silencedBy } from "./silenced-by.ts";
import { changeWords, dayLine, lineWords } from "./why-line.ts";

export type WhyOptions = { last: number; follow: boolean; json: boolean };

/**
 * Prints what was decided and why, and between it what the model changed in the settings; `session` is an id, the start of
 * one, or a part of a title.
 */
export async function whyCommand(session: string | undefined, options: WhyOptions, context: Context): Promise<number> {
  const { out, place } = context;
  const state = stateDir(place);
  const problem = await journalProblem(state);
  if (problem !== undefined) {
    out.complain(`beckon: ${problem}\n`);
    return exitCode.finding;
  }
  const isWanted = (line: JournalLine) => session === undefined || belongsTo(line, session);
  const added = options.follow ? await followLines(journalPath(state), context.signal) : undefined; // opened first: none is missed
  const all = await readJournalLines(state);
  const changes = all.flatMap((line) => (isDecision(line) ? [] : [line]));
  const lines = all.filter(isWanted);
  const show = options.json ? showJson(context, changes) : showText(context, changes);
  lines.slice(Math.max(0, lines.length - options.last)).forEach(show);
  if (added !== undefined) {
    for await (const line of newLines(added, all)) {
      if (!isDecision(line)) changes.push(line);
      if (isWanted(line)) show(line);
    }
    return exitCode.done;
  }
  if (lines.length > 0) return exitCode.done;
  const path = shortPath(journalPath(state), place.home);
  const about = session === undefined ? "No decision has been made yet" : `No decision about «${session}»`;
  out.complain(`beckon: ${about} (${path}). Is the plugin loaded? See: beckon doctor\n`);
  return exitCode.finding;
}

/** What was read from the file before is not told again. */
async function* newLines(added: AsyncIterable<string>, read: readonly JournalLine[]): AsyncGenerator<JournalLine> {
  const known = new Set(read.map((line) => JSON.stringify(line)));
  for await (const text of added)
    for (const line of readLine(text)) if (!known.delete(JSON.stringify(line))) yield line;
}

function belongsTo(line: JournalLine, session: string): boolean {
  const { sessionID } = line;
  const title = isDecision(line) ? (line.title ?? "") : "";
  return sessionID.startsWith(session) || title.toLowerCase().includes(session.toLowerCase());
}

const showJson =
  ({ out }: Context, changes: readonly JournalChange[]) =>
  (line: JournalLine): void => {
    const words = isDecision(line) ? decisionWords(line.outcome, line.reason) : changeWords(line);
    const behind = isDecision(line) ? silencedBy(line, changes) : [];
    out.write(`${printableJSON({ ...line, words, ...(behind.length === 0 ? {} : { silencedBy: behind }) })}\n`);
  };

function showText({ out }: Context, changes: readonly JournalChange[]): (line: JournalLine) => void {
  const paint = createPaint(out.colour);
  let day = "";
  return (line) => {
    const heading = dayLine(line, paint);
    if (heading !== day) out.write(`${day === "" ? "" : "\n"}${heading}`);
    day = heading;
    out.write(lineWords(line, changes, paint));
  };
}
