import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HostEvent } from "./event.ts";

const folder = join(import.meta.dirname, "../fixtures/opencode-2-alpha");

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isEvent = (value: unknown): value is HostEvent =>
  isRecord(value) && typeof value.id === "string" && typeof value.type === "string" && isRecord(value.data);

/** The events a recorded round (fixtures/opencode-2-alpha) shows, oldest first, from a plugin or from a terminal. */
export function recordedEvents(name: string): HostEvent[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines.flatMap((line) => {
    const { src, event }: Record<string, unknown> = JSON.parse(line);
    return (src === "plugin" || src === "tui") && isEvent(event) ? [event] : [];
  });
}

function sessionOf({ data }: HostEvent): string | undefined {
  if (typeof data.sessionID === "string") return data.sessionID;
  return isRecord(data.form) && typeof data.form.sessionID === "string" ? data.form.sessionID : undefined;
}

/** Of the boot, of files and of other plugins: not of a session. */
const aside = /^(plugin|integration|agent|command|skill|catalog|reference|filesystem|location)\./;

/** A title the host made comes with usage of its own, whenever it likes. */
function withoutTitle(events: HostEvent[]): HostEvent[] {
  const ofSession = (id: string | undefined) => events.filter((event) => sessionOf(event) === id);
  const titled = events.flatMap((event) => {
    if (event.type !== "session.renamed" || event.data.title === "renamed") return [];
    const before = ofSession(sessionOf(event))[ofSession(sessionOf(event)).indexOf(event) - 1];
    return before?.type === "session.usage.updated" ? [event, before] : [event];
  });
  return events.filter((event) => !titled.includes(event));
}

/** Deltas come in any number: a row of them counts as one. */
const withoutRepeats = (words: string[]) =>
  words.filter((word, at) => !word.endsWith("delta") || word !== words[at - 1]);

/** What happened in order, as `type` or, told apart by it, `type of a child`. */
export function orderOf(events: HostEvent[]): string[] {
  const relevant = withoutTitle(events.filter(({ type }) => !aside.test(type)));
  return withoutRepeats(relevant.map(({ type, location }) => `${type}${location === undefined ? " nowhere" : ""}`));
}

/** The same, session by session in the order in which they appear. What has no session stays out. */
export function ordersOf(events: HostEvent[]): string[][] {
  const sessions = [...new Set(events.map(sessionOf).filter((id) => id !== undefined))];
  return sessions.map((id) => orderOf(events.filter((event) => sessionOf(event) === id)));
}
