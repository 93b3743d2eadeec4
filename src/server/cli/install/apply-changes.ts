import { dirname } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import {
  dropBackup,
  type InstallRecord,
  keepBackup,
  makeStateFolder,
  originalOf,
  type RecordedFile,
  readRecord,
  saveRecord,
} from "./install-record.ts";
import { nameAt } from "./package-name.ts";
import { replaceFile } from "./replace-file.ts";
import { undoFile } from "./undo.ts";

/** `before` is undefined where there was no file. */
export type Change = { path: string; before: string | undefined; after: string };

/**
 * Backs up, writes and records each change. Stops at the first that fails, with what is already written recorded.
 * @returns the paths of the new backups
 */
export async function writeChanges(changes: readonly Change[], state: string): Promise<Result<string[], string>> {
  const made = await makeStateFolder(state);
  if (!made.ok) return fail(made.error.message);
  let record = await readRecord(state);
  if (made.value !== undefined) record = { ...record, made: made.value };
  const backups: string[] = [];
  for (const change of changes) {
    const recorded = await recordFor(change, record, state);
    if (!recorded.ok) return recorded;
    const written = await replaceFile(change.path, change.after);
    if (!written.ok) return fail(written.error.message);
    const madeFolder = recorded.value.made ?? written.value;
    const file = { ...recorded.value, ...(madeFolder === undefined ? {} : { made: madeFolder }) };
    record = { ...record, files: [...record.files.filter(({ path }) => path !== change.path), file] };
    const saved = await saveRecord(state, record);
    if (!saved.ok) return fail(saved.error.message);
    if (file.backup !== undefined) backups.push(file.backup);
  }
  return ok(backups);
}

/** A second installation keeps what the first one found, unless somebody has edited the file in between. */
async function recordFor(
  { path, before, after }: Change,
  record: InstallRecord,
  state: string,
): Promise<Result<RecordedFile, string>> {
  const earlier = record.files.find((file) => file.path === path);
  if (earlier !== undefined && earlier.after === before) return ok({ ...earlier, after });
  const original = earlier === undefined ? before : await withoutOurs(path, before, earlier);
  if (earlier !== undefined) await dropBackup(earlier);
  if (original === undefined) return ok({ path, after });
  const backup = await keepBackup(state, path, original);
  return backup.ok ? ok({ path, backup: backup.value, after }) : fail(backup.error.message);
}

async function withoutOurs(path: string, now: string | undefined, earlier: RecordedFile): Promise<string | undefined> {
  if (now === undefined) return undefined;
  const written = { before: await originalOf(earlier), after: earlier.after };
  const undone = undoFile(now, written, nameAt(dirname(path)));
  return undone.ok ? undone.value : now;
}
