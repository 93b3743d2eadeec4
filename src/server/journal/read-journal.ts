import { type FileHandle, open } from "node:fs/promises";
import * as z from "zod/mini";
import { cleanTitle } from "../../shared/text.ts";
import { errorCode, fileFailure } from "../files/file-error.ts";
import { journalPath } from "./journal-path.ts";

/** Whoever may write the file may write anything: a reader gets one line without anything unseen in it. */
const longestWord = 400;
const word = z.string().check(z.overwrite((text) => cleanTitle(text, longestWord)));
const words = z.array(word);

/** Codes are plain text here: a newer version may have written ones we do not know. */
const entrySchema = z.object({
  time: word,
  pid: z.number(),
  t: z.number(),
  alert: word,
  sessionID: word,
  requestID: z.optional(word),
  outcome: word,
  reason: word,
  channels: words,
  title: z.optional(word),
  by: z.optional(word),
  hidden: z.optional(words),
});
export type JournalEntry = z.output<typeof entrySchema>;

/** A setting somebody else than the person changed. */
const changeSchema = z.object({
  time: word,
  pid: z.number(),
  change: word,
  value: z.unknown(),
  author: word,
  sessionID: word,
});
export type JournalChange = z.output<typeof changeSchema>;

export type JournalLine = JournalEntry | JournalChange;

export const isDecision = (line: JournalLine): line is JournalEntry => "outcome" in line;

export type JournalQuery = {
  stateDir: string;
  /** The newest so many; absent = all there are. */
  last?: number;
  /** Only this session's. */
  sessionID?: string;
};

/** Every line, oldest first. What cannot be read (no file, a torn line, somebody else's text) is left out. */
export async function readJournalLines(stateDir: string): Promise<JournalLine[]> {
  const text = await readBoth(journalPath(stateDir));
  return text.split("\n").flatMap(readLine);
}

/** Its decisions alone. */
export async function readJournal({ stateDir, last, sessionID }: JournalQuery): Promise<JournalEntry[]> {
  const entries = (await readJournalLines(stateDir))
    .filter(isDecision)
    .filter((entry) => sessionID === undefined || entry.sessionID === sessionID);
  return last === undefined ? entries : entries.slice(Math.max(0, entries.length - last));
}

/** Why the journal cannot be read, where there is one. */
export async function journalProblem(stateDir: string): Promise<string | undefined> {
  const path = journalPath(stateDir);
  try {
    const file = await open(path, "r");
    await file.read(Buffer.alloc(1), 0, 1, 0).finally(() => file.close());
    return undefined;
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : fileFailure(path, error).message;
  }
}

/** One line of the journal; none when it is not one. */
export function readLine(line: string): JournalLine[] {
  try {
    const json: unknown = JSON.parse(line);
    const schema = typeof json === "object" && json !== null && "change" in json ? changeSchema : entrySchema;
    const parsed = schema.safeParse(json);
    return parsed.success ? [parsed.data] : [];
  } catch {
    return []; // half a line, or none
  }
}

/** Both files as of one moment: the newer is opened first, and a rotation in between shows as the same file twice. */
async function readBoth(path: string): Promise<string> {
  const newer = await openOrNone(path);
  const older = await openOrNone(`${path}.1`);
  try {
    const [newStats, oldStats] = [await newer?.stat(), await older?.stat()];
    const rotated = newStats !== undefined && newStats.ino === oldStats?.ino;
    const old = rotated ? "" : ((await older?.readFile("utf8")) ?? "");
    return `${old}\n${(await newer?.readFile("utf8")) ?? ""}`;
  } catch {
    return ""; // a folder in its place, a disk error
  } finally {
    await Promise.all([newer?.close(), older?.close()]);
  }
}

const openOrNone = (path: string): Promise<FileHandle | undefined> => open(path, "r").catch(() => undefined);
