import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { errorCode, type FileFailure, fileFailure } from "../../files/file-error.ts";
import { behindLinks } from "../../files/write-atomic.ts";

/** Takes a file away that an installation made; a link that led to it stays, and leads nowhere again. */
export async function removeFile(path: string): Promise<Result<void, FileFailure>> {
  try {
    await rm(await behindLinks(path), { force: true });
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
