import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./file-error.ts";

/** As `mkdir -p`. @returns the topmost folder that had to be made, if any */
export async function makeFolder(path: string, mode = 0o700): Promise<string | undefined> {
  try {
    return await mkdir(path, { recursive: true, mode });
  } catch (error) {
    // Node says that of a read-only disk, too (20 to 24): made alone, the first one says why
    if (errorCode(error) === "ENOENT") await mkdir(firstMissing(path), { mode });
    throw error;
  }
}

const firstMissing = (path: string): string => (existsSync(dirname(path)) ? path : firstMissing(dirname(path)));
