import * as z from "zod/mini";
import { isRecord } from "../../shared/is-record.ts";
import { parseJSON } from "../../shared/nesting.ts";
import { decodeText, type Opened, readBytes } from "../../shared/read-regular-file.ts";
import { cleanTitle } from "../../shared/text.ts";
import { openToRead, readFileBytes } from "../files/read-file.ts";
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

/** A journal rotates at a quarter of this. Of a bigger one the end is read: that is what anybody asks for. */
const maxBytes = 4 * 1_024 * 1_024;

export type JournalQuery = {
  stateDir: string;
  /** The newest so many; absent = all there are. */
  last?: number;
  /** Only this session's. */
  sessionID?: string;
};

/** Every line, oldest first. What cannot be read (no file, a torn line, somebody else's text) is left out. */
export async function readJournalLines(stateDir: string): Promise<JournalLine[]> {
  return (await readBoth(journalPath(stateDir))).flatMap(readLine);
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
  const read = await readFileBytes(path, { maxBytes: 1, of: "end" }); // a disk error shows at the first byte
  return read.ok || read.error.kind === "missing" ? undefined : read.error.message;
}

/** One line of the journal; none when it is not one. */
export function readLine(line: string): JournalLine[] {
  const json = parseJSON(line);
  const schema = isRecord(json) && "change" in json ? changeSchema : entrySchema;
  const parsed = schema.safeParse(json);
  return parsed.success ? [parsed.data] : []; // half a line, or none
}

/** Both files as of one moment: the newer is opened first, and a rotation in between shows as the same file twice. */
async function readBoth(path: string): Promise<string[]> {
  const newer = await openToRead(path);
  const older = await openToRead(`${path}.1`);
  const rotated = newer.ok && older.ok && newer.value.facts.ino === older.value.facts.ino;
  const texts = [older, newer].map((opened, at) => (opened.ok && !(rotated && at === 0) ? [opened.value] : []));
  try {
    return (await Promise.all(texts.flat().map(linesOf))).flat();
  } finally {
    await Promise.all([newer, older].map((opened) => (opened.ok ? opened.value.file.close() : undefined)));
  }
}

/** Whole lines that are UTF-8: one that is not must not hide the others. */
async function linesOf({ file, facts }: Opened): Promise<string[]> {
  const read = await readBytes(file, facts, { maxBytes, of: "end" }).catch(() => undefined);
  if (read?.ok !== true) return []; // a disk error
  const bytes = Buffer.from(read.value.buffer, read.value.byteOffset, read.value.byteLength);
  const lines: string[] = [];
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = bytes.indexOf(0x0a, start);
    if (end === -1) end = bytes.length;
    lines.push(decodeText(bytes.subarray(start, end)) ?? "");
  }
  return lines;
}
