import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord, type NameAt } from "./plugin-entry.ts";

/** Reads what a package is called; a path in a configuration file is relative to that file's folder. */
export const nameAt =
  (folder: string): NameAt =>
  (spec) => {
    try {
      const path = spec.startsWith("file:") ? fileURLToPath(spec) : resolve(folder, spec);
      const manifest: unknown = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      return isRecord(manifest) && typeof manifest.name === "string" ? manifest.name : undefined;
    } catch {
      return undefined; // no package there: its path is all that is known
    }
  };
