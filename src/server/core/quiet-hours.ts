import type { Config } from "../config/schema.ts";
import { weekdays } from "../config/schema.ts";

type Span = Config["alerts"]["quietHours"][number];
type Local = { day: number; minute: number };

/** The day of the week (0 = Monday) and the minute of the day where the person lives. */
function localTime(wallMs: number, timeZone: string | undefined): Local {
  const format = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  const parts = new Map(format.formatToParts(wallMs).map(({ type, value }) => [type, value]));
  const name = parts.get("weekday")?.toLowerCase();
  const weekday = weekdays.findIndex((day) => name?.startsWith(day));
  return { day: weekday, minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")) };
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Is it quiet now? `days` name the day on which a span begins; equal ends mean the whole day. */
export function isQuiet(spans: readonly Span[], wallMs: number, timeZone?: string): boolean {
  if (spans.length === 0) return false;
  const local = localTime(wallMs, timeZone);
  return spans.some((span) => covers(span, local));
}

function covers(span: Span, { day, minute }: Local): boolean {
  const from = minuteOf(span.from);
  const to = minuteOf(span.to);
  const begins = (on: number): boolean =>
    span.days === undefined || span.days.some((name) => weekdays.indexOf(name) === on);
  if (from < to) return begins(day) && minute >= from && minute < to;
  const yesterday = (day + 6) % 7;
  return (begins(day) && minute >= from) || (begins(yesterday) && minute < to);
}
