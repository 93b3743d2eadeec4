import { existsSync, mkdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./file-error.ts";

/**
 * As `mkdir -p`, a folder at a time. Node's `recursive` says of a read-only disk that a folder is missing (20 to 24), and
 * tries for ever where making one says ENOENT though its parent is there (20, /proc). What stands there already is not
 * looked at: whoever writes into it learns that it is no folder.
 * @returns the topmost folder that had to be made, if any
 */
export async function makeFolder(path: string, mode = 0o700): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return undefined;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
  }
  const topmost = await makeFolder(dirname(path), mode);
  await mkdir(path, { mode }).catch((error: unknown) => {
    if (errorCode(error) !== "EEXIST") throw error; // somebody else was faster
  });
  return topmost ?? path;
}

/** The same for a process that ends right now. */
export function makeFolderSync(path: string, mode = 0o700): void {
  if (dirname(path) !== path && !existsSync(dirname(path))) makeFolderSync(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
