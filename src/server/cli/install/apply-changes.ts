import { dirname } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { fileFailure } from "../../files/file-error.ts";
import { withLockFile } from "../../files/lock-file.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { readTextIfAny } from "../../files/read-file.ts";
import { behindLinks, writeAtomic } from "../../files/write-atomic.ts";
import { maxHostFileBytes } from "../../host-files/host-files.ts";
import {
  dropBackup,
  dropSpareBackups,
  type InstallRecord,
  installLock,
  keepBackup,
  makeStateFolder,
  type Original,
  originalOf,
  type RecordedFile,
  readRecord,
  saveRecord,
} from "./install-record.ts";
import { namesIn } from "./package-name.ts";
import { deedsOf, undoFile } from "./undo.ts";

/** `before` is undefined where there was no file. */
export type Change = { path: string; before: string | undefined; after: string };

export const lockWaitMs = 3_000;

/**
 * Backs up, records and writes each change. Stops at the first that fails, with what is already written recorded.
 * @returns the paths of the new backups
 */
export async function writeChanges(changes: readonly Change[], state: string): Promise<Result<string[], string>> {
  const made = await makeStateFolder(state);
  if (!made.ok) return fail(made.error.message);
  const write = () => writeAll(changes, state, made.value);
  const locked = await withLockFile(installLock(state), { waitMs: lockWaitMs }, write);
  return locked.ok ? locked.value : fail(locked.error.message);
}

async function writeAll(
  changes: readonly Change[],
  state: string,
  made: string | undefined,
): Promise<Result<string[], string>> {
  let record = await readRecord(state);
  if (made !== undefined) record = { ...record, made };
  await dropSpareBackups(
    state,
    record,
    changes.flatMap(({ before }) => before ?? []),
  );
  const backups: string[] = [];
  for (const change of changes) {
    const planned = await isAsPlanned(change);
    if (!planned.ok) return planned;
    if (planned.value === "done") continue;
    const written = await writeOne(change, record, state);
    if (!written.ok) return written;
    record = written.value.record;
    backups.push(...written.value.backups);
  }
  return ok(backups);
}

/** Nobody has touched the file since it was planned; or somebody did the same. */
async function isAsPlanned({ path, before, after }: Change): Promise<Result<"done" | "to-do", string>> {
  const now = await readTextIfAny(path, { maxBytes: maxHostFileBytes });
  if (!now.ok) return fail(now.error.message);
  if (now.value === after) return ok("done");
  return now.value === before ? ok("to-do") : fail(changedMeanwhile(path));
}

export const changedMeanwhile = (path: string): string =>
  `${path}: somebody changed it while this command ran, and it was left alone; run the command again`;

/** Recorded first: a process that is killed in between leaves a record of what it may have done, never a file without one. */
async function writeOne(
  change: Change,
  record: InstallRecord,
  state: string,
): Promise<Result<{ record: InstallRecord; backups: string[] }, string>> {
  const { path, after } = change;
  const earlier = record.files.find((file) => file.path === path);
  const prepared = await recordFor(change, earlier, state);
  if (!prepared.ok) return prepared;
  const made = await makeFolderFor(path);
  if (!made.ok) return made;
  const topmost = earlier?.made ?? made.value;
  const file = { ...prepared.value, ...(topmost === undefined ? {} : { made: topmost }) };
  const next = { ...record, files: [...record.files.filter((other) => other !== earlier), file] };
  const saved = await saveRecord(state, next);
  const written = saved.ok ? await writeAtomic(path, after, { mode: "keep" }) : saved;
  const isNew = file.backup !== undefined && file.backup !== earlier?.backup;
  if (!written.ok) {
    if (saved.ok) await saveRecord(state, record);
    if (isNew) await dropBackup(file);
    return fail(written.error.message);
  }
  if (earlier?.backup !== file.backup) await dropBackup(earlier ?? {});
  return ok({ record: next, backups: file.backup === undefined ? [] : [file.backup] });
}

async function makeFolderFor(path: string): Promise<Result<string | undefined, string>> {
  try {
    return ok(await makeFolder(dirname(await behindLinks(path)), 0o777));
  } catch (error) {
    return fail(fileFailure(path, error).message);
  }
}

/** A second installation keeps what the first one found, unless somebody has edited the file in between. */
async function recordFor(
  { path, before, after }: Change,
  earlier: RecordedFile | undefined,
  state: string,
): Promise<Result<RecordedFile, string>> {
  const did = [...new Set([...(earlier?.did ?? []), ...deedsOf(before, after)])];
  if (earlier !== undefined && earlier.after === before) return ok({ ...earlier, after, did });
  const original = earlier === undefined ? before : await withoutOurs(path, before, earlier);
  if (original === undefined) return ok({ path, after, did });
  const backup = await keepBackup(state, path, original);
  return backup.ok ? ok({ path, ...backup.value, after, did }) : fail(backup.error.message);
}

async function withoutOurs(path: string, now: string | undefined, earlier: RecordedFile): Promise<string | undefined> {
  if (now === undefined) return undefined;
  const original: Original = await originalOf(earlier);
  const texts = [now, original.kind === "text" ? original.text : ""];
  const undone = undoFile(now, { ...earlier, original }, await namesIn(dirname(path), ...texts));
  return undone.ok ? undone.value : now;
}
