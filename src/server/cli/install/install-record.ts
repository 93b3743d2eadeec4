import { createHash, randomUUID } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import { parseJSON } from "../../../shared/nesting.ts";
import { decodeText } from "../../../shared/read-regular-file.ts";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { type FileFailure, fileFailure } from "../../files/file-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { readFileBytes, readFileText } from "../../files/read-file.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import { maxHostFileBytes } from "../../host-files/host-files.ts";
import { removeEmptyFolders } from "./remove-file.ts";

const recordedFile = z.object({
  path: z.string(),
  /** A copy of the file as it was; absent when there was none. */
  backup: z.optional(z.string()),
  /** SHA-256 of that copy: one that has changed since is nobody's original. */
  sum: z.optional(z.string()),
  /** The file as the installation left it. */
  after: z.string(),
  /** What it did beyond listing the plugin: lists it made, what of opencode's own it switched off. */
  did: z.optional(z.array(z.enum(["plugin", "plugins", "attention", "notifier"]))),
  /** The topmost folder the installation made for it. */
  made: z.optional(z.string()),
});
const record = z.object({ files: z.array(recordedFile), made: z.optional(z.string()) });

export type RecordedFile = z.output<typeof recordedFile>;
export type Deed = NonNullable<RecordedFile["did"]>[number];
export type InstallRecord = z.output<typeof record>;

/** The file before an installation. `lost`: there was one, and its copy cannot be had: nobody guesses it. */
export type Original = { kind: "none" } | { kind: "text"; text: string } | { kind: "lost" };

/** It holds a handful of opencode's files as they were left. */
const maxRecordBytes = 4 * maxHostFileBytes;

const recordPath = (state: string): string => join(state, "install.json");
const backupFolder = (state: string): string => join(state, "backups");
/** Held while anything is written: two installations at once would lose each other's record. */
export const installLock = (state: string): string => `${recordPath(state)}.lock`;

/** What was installed, so that it can be undone. An unreadable record counts as none: undoing then goes by the entries. */
export async function readRecord(state: string): Promise<InstallRecord> {
  const text = await readFileText(recordPath(state), { maxBytes: maxRecordBytes });
  const read = record.safeParse(text.ok ? parseJSON(text.value) : undefined);
  return read.success ? read.data : { files: [] };
}

/** Keeps a copy before anything is changed; it is on the disk when this resolves. */
export async function keepBackup(
  state: string,
  path: string,
  text: string,
): Promise<Result<Required<Pick<RecordedFile, "backup" | "sum">>, FileFailure>> {
  const backup = join(backupFolder(state), `${basename(path)}.${randomUUID().slice(0, 8)}`);
  try {
    await makeFolder(backupFolder(state));
    const file = await open(backup, "wx", 0o600);
    await file
      .writeFile(text)
      .then(() => file.sync())
      .finally(() => file.close());
    return ok({ backup, sum: sumOf(Buffer.from(text)) });
  } catch (error) {
    return fail(fileFailure(backup, error));
  }
}

const sumOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export async function originalOf({ backup, sum }: RecordedFile): Promise<Original> {
  if (backup === undefined) return { kind: "none" };
  const read = await readFileBytes(backup, { maxBytes: maxHostFileBytes });
  const text = read.ok && sumOf(read.value.bytes) === sum ? decodeText(read.value.bytes) : undefined;
  return text === undefined ? { kind: "lost" } : { kind: "text", text };
}

/** An empty record leaves no file. */
export async function saveRecord(state: string, saved: InstallRecord): Promise<Result<void, FileFailure>> {
  if (saved.files.length > 0) return writeAtomic(recordPath(state), `${JSON.stringify(saved, null, 2)}\n`);
  await rm(recordPath(state), { force: true }).catch(() => undefined);
  return ok(undefined);
}

export async function dropBackup({ backup }: Pick<RecordedFile, "backup">): Promise<void> {
  if (backup !== undefined) await rm(backup, { force: true }).catch(() => undefined);
}

/** Copies that a killed installation left before it wrote anything: no record names them, and the file is still the same. */
export async function dropSpareBackups(
  state: string,
  { files }: InstallRecord,
  texts: readonly string[],
): Promise<void> {
  const folder = backupFolder(state);
  const named = new Set(files.map(({ backup }) => backup));
  for (const name of await readdir(folder).catch(() => [])) {
    const backup = join(folder, name);
    if (named.has(backup) || !/^(opencode|tui|cli)\.jsonc?\.[0-9a-f]{8}$/.test(name)) continue;
    const text = await readFileText(backup, { maxBytes: maxHostFileBytes });
    if (text.ok && texts.includes(text.value)) await dropBackup({ backup });
  }
}

/** Makes the state folder. @returns the topmost folder that had to be made, if any */
export async function makeStateFolder(state: string): Promise<Result<string | undefined, FileFailure>> {
  try {
    return ok(await makeFolder(state));
  } catch (error) {
    return fail(fileFailure(dirname(state), error));
  }
}

/** After an undoing nothing of ours is left. `made`: the topmost folder that was made for it. */
export async function removeStateFolder(state: string, made: string | undefined): Promise<void> {
  await removeEmptyFolders(backupFolder(state), backupFolder(state));
  await removeEmptyFolders(state, made);
}
