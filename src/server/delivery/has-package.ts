import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Whether a package is installed where an import from here would look. Bun fetches a missing one from the registry, in
 * whatever version is the newest; we would rather do without.
 */
export function hasPackage(name: string, from: string = import.meta.url): boolean {
  for (let folder = dirname(fileURLToPath(from)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
    if (folder === dirname(folder)) return false;
  }
}
