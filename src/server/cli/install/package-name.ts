import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../../shared/is-record.ts";
import type { NameAt } from "./plugin-entry.ts";

/** Reads what a package is called; a path in a configuration file is relative to that file's folder. */
export const nameAt =
  (folder: string): NameAt =>
  (spec) => {
    try {
      const path = spec.startsWith("file:") ? fileURLToPath(spec) : resolve(folder, spec);
      return statSync(path).isDirectory() ? nameIn(path) : nameAround(dirname(path));
    } catch {
      return undefined; // no package there: its path is all that is known
    }
  };

function nameIn(folder: string): string | undefined {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return isRecord(manifest) && typeof manifest.name === "string" ? manifest.name : undefined;
}

/** Of the package a file belongs to: 1.x loads a single file, too. */
function nameAround(folder: string): string | undefined {
  try {
    return nameIn(folder);
  } catch {
    return dirname(folder) === folder ? undefined : nameAround(dirname(folder));
  }
}
