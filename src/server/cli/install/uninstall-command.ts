import { dirname } from "node:path";
import { stateDir } from "../../config/location.ts";
import type { Context } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import { createPaint } from "../paint.ts";
import { shortPath } from "../short-path.ts";
import { showDiff } from "./diff.ts";
import { hostFolders, type Scope } from "./host-files.ts";
import { dropBackup, readRecord, saveRecord } from "./install-record.ts";
import { planUndo, type Undoing } from "./plan-undo.ts";
import { removeEmptyFolders, removeFile, replaceFile } from "./replace-file.ts";

export type UninstallOptions = { scopes: readonly Scope[]; dryRun: boolean };

/** Takes back exactly what `install` wrote; where it wrote nothing, any entry of ours in the files it would write to. */
export async function uninstallCommand(options: UninstallOptions, context: Context): Promise<number> {
  const { out, place } = context;
  const state = stateDir(place);
  const record = await readRecord(state);
  const folders = options.scopes.flatMap((scope) => hostFolders(scope, place, context.cwd));
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
  for (const { path, after } of undoings.value) {
    const done = after === undefined ? await removeFile(path) : await replaceFile(path, after);
    if (!done.ok) {
      out.complain(`beckon: ${done.error.message}\n`);
      return exitCode.finding;
    }
  }
  for (const file of recorded) {
    await dropBackup(file);
    await removeEmptyFolders(dirname(file.path), file.made);
  }
  await saveRecord(state, { ...record, files: record.files.filter((file) => !recorded.includes(file)) });
  if (undoings.value.length > 0) out.write("\nDone. Restart opencode.\n");
  const left = await planUndo([], folders);
  for (const { path } of left.ok ? left.value : [])
    out.write(
      `Still listed in ${shortPath(path, place.home)}, which install did not write: uninstall again for that one.\n`,
    );
  return exitCode.done;
}

function show({ path, now, after }: Undoing, { out, place }: Context): void {
  const paint = createPaint(out.colour);
  out.write(`\n${paint.bold(shortPath(path, place.home))}${after === undefined ? " (removed)" : ""}\n`);
  out.write(showDiff(now, after ?? "", paint));
}
