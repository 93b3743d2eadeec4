import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { type FileFailure, fileFailure } from "../../files/file-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import { removeEmptyFolders } from "./replace-file.ts";

const recordedFile = z.object({
  path: z.string(),
  /** A copy of the file as it was; absent when there was none. */
  backup: z.optional(z.string()),
  /** The file as the installation left it. */
  after: z.string(),
  /** The topmost folder the installation made for it. */
  made: z.optional(z.string()),
});
const record = z.object({ files: z.array(recordedFile), made: z.optional(z.string()) });

export type RecordedFile = z.output<typeof recordedFile>;
export type InstallRecord = z.output<typeof record>;

const recordPath = (state: string): string => join(state, "install.json");
const backupFolder = (state: string): string => join(state, "backups");

/** What was installed, so that it can be undone. An unreadable record counts as none: undoing then goes by the entries. */
export async function readRecord(state: string): Promise<InstallRecord> {
  try {
    const read = record.safeParse(JSON.parse(await readFile(recordPath(state), "utf8")));
    return read.success ? read.data : { files: [] };
  } catch {
    return { files: [] };
  }
}

/** Keeps a copy before anything is changed. @returns its path */
export async function keepBackup(state: string, path: string, text: string): Promise<Result<string, FileFailure>> {
  const backup = join(backupFolder(state), `${basename(path)}.${randomUUID().slice(0, 8)}`);
  try {
    await makeFolder(backupFolder(state));
    await writeFile(backup, text, { flag: "wx", mode: 0o600 });
    return ok(backup);
  } catch (error) {
    return fail(fileFailure(backup, error));
  }
}

/** The file as it was; undefined when there was none. A backup somebody removed leaves only the entries to go by. */
export async function originalOf({ backup }: RecordedFile): Promise<string | undefined> {
  return backup === undefined ? undefined : readFile(backup, "utf8").catch(() => "{}");
}

/** Saves the record; an empty one leaves nothing of ours behind. */
export async function saveRecord(state: string, saved: InstallRecord): Promise<Result<void, FileFailure>> {
  if (saved.files.length > 0) return writeAtomic(recordPath(state), `${JSON.stringify(saved, null, 2)}\n`);
  await rm(recordPath(state), { force: true }).catch(() => undefined);
  await removeEmptyFolders(backupFolder(state), backupFolder(state));
  await removeEmptyFolders(state, saved.made);
  return ok(undefined);
}

export async function dropBackup({ backup }: RecordedFile): Promise<void> {
  if (backup !== undefined) await rm(backup, { force: true }).catch(() => undefined);
}

/** Makes the state folder. @returns the topmost folder that had to be made, if any */
export async function makeStateFolder(state: string): Promise<Result<string | undefined, FileFailure>> {
  try {
    return ok(await makeFolder(state));
  } catch (error) {
    return fail(fileFailure(dirname(state), error));
  }
}
