import { dirname } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { stateDir } from "../../config/location.ts";
import { withLockFile } from "../../files/lock-file.ts";
import { readTextIfAny } from "../../files/read-file.ts";
import { behindLinks, writeAtomic } from "../../files/write-atomic.ts";
import { maxHostFileBytes } from "../../host-files/host-files.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { shortPath } from "../short-path.ts";
import { changedMeanwhile, lockWaitMs } from "./apply-changes.ts";
import { showDiff } from "./diff.ts";
import { hostFolders, type Scope } from "./host-files.ts";
import {
  dropBackup,
  dropSpareBackups,
  type InstallRecord,
  installLock,
  makeStateFolder,
  type RecordedFile,
  readRecord,
  removeStateFolder,
  saveRecord,
} from "./install-record.ts";
import { planUndo, type Undoing } from "./plan-undo.ts";
import { removeEmptyFolders, removeFile } from "./remove-file.ts";

export type UninstallOptions = { scopes: readonly Scope[]; dryRun: boolean };

/** Takes back exactly what `install` wrote; where it wrote nothing, any entry of ours in the files it would write to. */
export async function uninstallCommand(options: UninstallOptions, context: Context): Promise<number> {
  const { out, place } = context;
  const state = stateDir(place);
  const record = await readRecord(state);
  const folders = (await Promise.all(options.scopes.map((scope) => hostFolders(scope, place, context.cwd)))).flat();
  const recorded = record.files.filter(({ path }) => folders.some((folder) => dirname(path) === folder));
  const undoings = await planUndo(recorded, recorded.length === 0 ? folders : []);
  if (!undoings.ok) {
    out.complain(`beckon: ${undoings.error}; nothing was changed\n`);
    return exitCode.usage;
  }
  for (const undoing of undoings.value) show(undoing, context);
  if (undoings.value.length === 0) out.write("Nothing to do: no entry of beckon was found.\n");
  if (options.dryRun) {
    out.write("\nDry run: nothing was written.\n");
    return exitCode.done;
  }
  if (undoings.value.length + recorded.length > 0) {
    const written = await writeUndoings(undoings.value, recorded, state);
    if (!written.ok) {
      out.complain(`beckon: ${written.error}\n`);
      return exitCode.finding;
    }
  }
  if (undoings.value.length > 0) out.write("\nDone. Restart opencode.\n");
  const left = await planUndo([], folders);
  for (const { path } of left.ok ? left.value : [])
    out.write(
      `Still listed in ${shortPath(path, place.home)}, which install did not write: uninstall again for that one.\n`,
    );
  return exitCode.done;
}

async function writeUndoings(
  undoings: readonly Undoing[],
  recorded: readonly RecordedFile[],
  state: string,
): Promise<Result<void, string>> {
  const made = await makeStateFolder(state);
  if (!made.ok) return fail(made.error.message);
  const locked = await withLockFile(installLock(state), { waitMs: lockWaitMs }, async () => {
    for (const undoing of undoings) {
      const written = await writeUndoing(undoing);
      if (!written.ok) return written;
    }
    return ok(await forget(recorded, state));
  });
  const done = locked.ok ? locked.value : fail(locked.error.message);
  if (!done.ok) return done;
  const { files, made: recordedMade } = done.value;
  if (files.length === 0) await removeStateFolder(state, made.value ?? recordedMade);
  return ok(undefined);
}

async function writeUndoing({ path, now, after }: Undoing): Promise<Result<void, string>> {
  const current = await readTextIfAny(path, { maxBytes: maxHostFileBytes });
  if (!current.ok) return fail(current.error.message);
  if (current.value !== now) return current.value === after ? ok(undefined) : fail(changedMeanwhile(path));
  const done = after === undefined ? await removeFile(path) : await writeAtomic(path, after, { mode: "keep" });
  return done.ok ? ok(undefined) : fail(done.error.message);
}

/** Read again under the lock: another command may have recorded something since. @returns what is left of the record */
async function forget(recorded: readonly RecordedFile[], state: string): Promise<InstallRecord> {
  const record = await readRecord(state);
  const gone = new Set(recorded.map(({ path }) => path));
  const left = { ...record, files: record.files.filter(({ path }) => !gone.has(path)) };
  for (const file of record.files.filter(({ path }) => gone.has(path))) {
    await dropBackup(file);
    await removeEmptyFolders(dirname(await behindLinks(file.path)), file.made);
    const now = await readTextIfAny(file.path, { maxBytes: maxHostFileBytes });
    if (now.ok && now.value !== undefined) await dropSpareBackups(state, left, [now.value]);
  }
  await saveRecord(state, left);
  return left;
}

function show({ path, now, after }: Undoing, { out, place }: Context): void {
  const paint = createPaint(out.colour);
  out.write(`\n${paint.bold(shortPath(path, place.home))}${after === undefined ? " (removed)" : ""}\n`);
  out.write(showDiff(now, after ?? "", paint));
}
