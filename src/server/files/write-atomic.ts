import { randomUUID } from "node:crypto";
import { realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../shared/result.ts";
import { errorCode, type FileFailure, fileFailure } from "./file-error.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * Readers see the old file or the new, never half. File 0600, missing folders 0700. A link keeps pointing where it
 * points: the file behind it is replaced (a configuration is often a link into a dotfiles folder).
 */
export async function writeAtomic(path: string, text: string): Promise<Result<void, FileFailure>> {
  try {
    await makeFolder(dirname(path));
    const target = await behindLinks(path);
    const draft = `${target}.${randomUUID()}.tmp`; // same folder: rename cannot cross devices
    await writeFile(draft, text, { flag: "wx", mode: 0o600, flush: true })
      .then(() => rename(draft, target))
      .finally(() => rm(draft, { force: true }).catch(() => undefined));
    return ok(undefined);
  } catch (error) {
    return fail(fileFailure(path, error));
  }
}

/** The real file a path stands for; the path itself when there is nothing yet. */
export async function behindLinks(path: string): Promise<string> {
  return realpath(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return path;
    throw error;
  });
}
