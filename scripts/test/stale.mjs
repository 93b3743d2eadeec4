import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const inputs = ["src", "scripts/build.mjs", "package.json", "tsconfig.json", "tsconfig.build.json"];

/** Whether anything the build reads has changed since it began; it leaves that time on dist/.built. A removed file shows in its folder's time. */
export async function isBuildStale(root) {
  const built = await stat(join(root, "dist/.built")).catch(() => undefined);
  const read = await Promise.all(inputs.map((path) => newest(join(root, path))));
  return built === undefined || Math.max(...read) > built.mtimeMs;
}

/** The latest change in a tree, ms since the epoch; 0 when there is none. */
async function newest(path) {
  const info = await stat(path).catch(() => undefined);
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  const inside = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
  return Math.max(info.mtimeMs, ...inside);
}
