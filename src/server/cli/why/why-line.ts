import { cleanTitle } from "../../../shared/text.ts";
import { isDecision, type JournalChange, type JournalEntry, type JournalLine } from "../../journal/read-journal.ts";
import type { Paint } from "../paint.ts";
import { decisionWords, hiddenWords } from "../why-words.ts";
import { silencedBy } from "./silenced-by.ts";

const titleColumns = 28;
const longestPart = 200;

/**
 * One decision as a sentence; `time` is local. Whatever stands in the journal: nothing of it acts on the terminal.
 * `silenced`: the changes of settings that were behind it.
 */
export function whyLine(entry: JournalEntry, paint: Paint, silenced: readonly JournalChange[] = []): string {
  const { outcome, reason, channels, by, hidden = [] } = entry;
  const where = channels.length === 0 || outcome === "withdrawn" ? "" : ` → ${clean(channels.join(", "))}`;
  const unseen = hidden.length === 0 ? "" : `; ${clean(hiddenWords(hidden))}`;
  const who = by === undefined ? "" : ` (${clean(by)})`;
  const brush = brushFor(outcome, paint);
  const title = padded(nameOf(entry));
  const time = localTime(new Date(entry.time));
  const alert = clean(entry.alert).padEnd(6);
  const words = brush(clean(decisionWords(outcome, reason)));
  return `  ${paint.dim(time)}  ${title}  ${alert}  ${words}${who}${where}${unseen}${silenced.map(behind).join("")}\n`;
}

const behind = (change: JournalChange): string => {
  const { time } = change;
  const date = new Date(time);
  return `; ${clean(changeWords(change))} on ${localDay(date)} at ${localTime(date)} (session ${clean(change.sessionID)})`;
};

/** A change of a setting, among the decisions. */
function changeLine(change: JournalChange, paint: Paint): string {
  const name = padded(cleanTitle(change.sessionID, titleColumns));
  const time = paint.dim(localTime(new Date(change.time)));
  return `  ${time}  ${name}  change  ${paint.yellow(clean(changeWords(change)))}\n`;
}

/** «the model set alerts.done.mode to "none"» */
export const changeWords = ({ author, change, value }: Pick<JournalChange, "author" | "change" | "value">): string =>
  `the ${author} ${value === null || value === undefined ? `took ${change} back to its default` : `set ${change} to ${JSON.stringify(value)}`}`;

/** A line of the journal, whatever it is about. `changes`: those that came before it. */
export const lineWords = (line: JournalLine, changes: readonly JournalChange[], paint: Paint): string =>
  isDecision(line) ? whyLine(line, paint, silencedBy(line, changes)) : changeLine(line, paint);

const clean = (text: string): string => cleanTitle(text, longestPart);

/** «Mon 5 Jan 2026», shown once above the decisions of a day. */
export const dayLine = ({ time }: Pick<JournalLine, "time">, paint: Paint): string =>
  `${paint.bold(localDay(new Date(time)))}\n`;

const localDay = (date: Date): string =>
  Number.isNaN(date.getTime())
    ? "unknown day"
    : `${days[date.getDay()]} ${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}`;

const nameOf = ({ title, sessionID }: JournalEntry): string =>
  cleanTitle(title ?? "", titleColumns) || cleanTitle(sessionID, titleColumns);

const padded = (text: string): string => text + " ".repeat(Math.max(0, titleColumns - [...text].length));

function brushFor(outcome: string, paint: Paint): (text: string) => string {
  if (outcome === "delivered") return paint.green;
  if (outcome === "failed") return paint.red;
  return outcome === "suppressed" || outcome === "deferred" ? paint.yellow : paint.dim;
}

const two = (value: number): string => String(value).padStart(2, "0");
const localTime = (date: Date): string =>
  Number.isNaN(date.getTime())
    ? "??:??:??"
    : [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
