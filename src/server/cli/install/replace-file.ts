import { randomUUID } from "node:crypto";
import { rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { errorCode, type FileFailure, fileFailure } from "../../files/file-error.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { behindLinks } from "../../files/write-atomic.ts";

/**
 * Writes one of the host's own files: whole or not at all, with the mode it had, through a link to the file behind it.
 * @returns the topmost folder that had to be made, if any
 */
export async function replaceFile(path: string, text: string): Promise<Result<string | undefined, FileFailure>> {
  try {
    const made = await makeFolder(dirname(path), 0o777);
    const target = await behindLinks(path);
    const mode = await modeOf(target);
    const draft = `${target}.${randomUUID()}.tmp`; // same folder: rename cannot cross devices
    await writeFile(draft, text, { flag: "wx", mode, flush: true })
      .then(() => rename(draft, target))
      .finally(() => rm(draft, { force: true }).catch(() => undefined));
    return ok(made);
  } catch (error) {
    return fail(fileFailure(path, error));
  }
}

export async function removeFile(path: string): Promise<Result<void, FileFailure>> {
  try {
    await rm(path, { force: true });
    return ok(undefined);
  } catch (error) {
    return fail(fileFailure(path, error));
  }
}

/** Removes folders that are empty now, from `folder` up to and including `topmost`. */
export async function removeEmptyFolders(folder: string, topmost: string | undefined): Promise<void> {
  if (topmost === undefined) return;
  for (let at = folder; at.length >= topmost.length; at = dirname(at)) {
    const removed = await rmdir(at).then(
      () => true,
      (error: unknown) => errorCode(error) === "ENOENT",
    );
    if (!removed) return; // something else lies there
  }
}

async function modeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mode }) => mode & 0o777,
    () => 0o644,
  );
}
