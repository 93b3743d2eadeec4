import { defaultConfig } from "../../config/schema.ts";
import { valueAt } from "../../config/show.ts";
import type { JournalChange, JournalEntry } from "../../journal/read-journal.ts";

/** A setting that can have kept an alert from the person, and whether this value of it does. */
type Cause = { key: string; silences(value: unknown): boolean };

/** Of the changes of settings that came before a decision, those that silenced it: the newest of each setting. */
export function silencedBy(entry: JournalEntry, changes: readonly JournalChange[]): JournalChange[] {
  const before = changes.filter(({ time }) => Date.parse(time) <= Date.parse(entry.time));
  return causesOf(entry).flatMap(({ key, silences }) => {
    const newest = before.findLast(({ change }) => change === key);
    return newest !== undefined && silences(valueNow(newest)) ? [newest] : [];
  });
}

/** Taken out of the file, a setting has its default again. */
const valueNow = ({ change, value }: JournalChange): unknown =>
  value ?? valueAt(defaultConfig, change.split(".")) ?? null;

const is =
  (...words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);
const isAbove =
  (least: number) =>
  (value: unknown): boolean =>
    typeof value === "number" && value > least;
/** A list that was too long for its line is text. */
const isAnything = (value: unknown): boolean => typeof value === "string" || (Array.isArray(value) && value.length > 0);

function causesOf({ alert, outcome, reason }: JournalEntry): Cause[] {
  const own = (name: string) => `alerts.${alert}.${name}`;
  switch (reason) {
    case "mode-none":
      return [{ key: own("mode"), silences: is("none") }];
    case "excluded":
      return [{ key: "alerts.exclude", silences: isAnything }]; // its globs are about a title the journal may not have
    case "quiet-hours":
      return [
        { key: "alerts.quietHours", silences: isAnything },
        { key: own("mode"), silences: is("voice") },
      ];
    case "no-channel":
    case "channel-error":
      return [{ key: own("mode"), silences: is("voice") }];
    case "too-short":
      return [{ key: own("minSeconds"), silences: isAbove(0) }];
    case "no-real-work":
      return [{ key: own("work"), silences: is("tools") }];
    case "delegated":
      return [{ key: own("delegated"), silences: is("silent") }];
    case "auto-answered":
    case "superseded":
      return [{ key: own("settleMs"), silences: isAbove(usualSettleMs) }];
    case "attended":
      return outcome === "delivered" ? [] : lookingCauses(own("whenFocused"));
    default:
      return [];
  }
}

/** An alert waits for a moment anyway; this much longer was somebody's wish. */
const usualSettleMs = 400;

/** Somebody was looking: these say that it then counts, for how long, and what is held back. */
const lookingCauses = (whenFocused: string): Cause[] => [
  { key: whenFocused, silences: is("suppress") },
  { key: "alerts.focus.enabled", silences: is(true) },
  { key: "alerts.focus.suppress", silences: is("banner", "all") },
  {
    key: "alerts.focus.idleSeconds",
    silences: (value) => value === 0 || isAbove(defaultConfig.alerts.focus.idleSeconds)(value),
  },
  { key: "alerts.focus.leaveSeconds", silences: isAbove(defaultConfig.alerts.focus.leaveSeconds) },
];
