import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const isOurs = (dir: string) => {
  const file = join(dir, "package.json");
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === "opencode-beckon";
};

/** The folder of this package, whether the rig runs from its sources or bundled for a script. */
export function packageRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  if (isOurs(from)) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error("the rig lies outside the package opencode-beckon");
  return packageRoot(parent);
}
