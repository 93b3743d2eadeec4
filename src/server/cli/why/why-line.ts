import { cleanTitle } from "../../../shared/text.ts";
import type { JournalEntry } from "../../journal/read-journal.ts";
import type { Paint } from "../paint.ts";
import { decisionWords, hiddenWords } from "../why-words.ts";

const titleColumns = 28;
const longestPart = 200;

/** One decision as a sentence; `time` is local. Whatever stands in the journal: nothing of it acts on the terminal. */
export function whyLine(entry: JournalEntry, paint: Paint): string {
  const { outcome, reason, channels, by, hidden = [] } = entry;
  const where = channels.length === 0 || outcome === "withdrawn" ? "" : ` → ${clean(channels.join(", "))}`;
  const unseen = hidden.length === 0 ? "" : `; ${clean(hiddenWords(hidden))}`;
  const who = by === undefined ? "" : ` (${clean(by)})`;
  const brush = brushFor(outcome, paint);
  const title = padded(nameOf(entry));
  const time = localTime(new Date(entry.time));
  const alert = clean(entry.alert).padEnd(6);
  const words = brush(clean(decisionWords(outcome, reason)));
  return `  ${paint.dim(time)}  ${title}  ${alert}  ${words}${who}${where}${unseen}\n`;
}

const clean = (text: string): string => cleanTitle(text, longestPart);

/** «Mon 5 Jan 2026», shown once above the decisions of a day. */
export function dayLine(entry: JournalEntry, paint: Paint): string {
  const date = new Date(entry.time);
  if (Number.isNaN(date.getTime())) return `${paint.bold("unknown day")}\n`;
  return `${paint.bold(`${days[date.getDay()]} ${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}`)}\n`;
}

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
