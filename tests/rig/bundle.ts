import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Below the package's node_modules, so that `ws` is found as in real life. */
const cache = fileURLToPath(new URL("../../node_modules/.cache/beckon-tests/", import.meta.url));

/** The entry as plain JavaScript other runtimes can run, in parts as `import()` divides it. Returns its path. */
export async function bundle(entry: URL): Promise<string> {
  mkdirSync(cache, { recursive: true });
  sweep();
  const outdir = mkdtempSync(join(cache, "bundle-"));
  await build({
    entryPoints: [fileURLToPath(entry)],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["ws"],
    logLevel: "error",
  });
  return join(outdir, basename(fileURLToPath(entry)).replace(/\.ts$/, ".mjs"));
}

/** Test processes are ended, not asked: what earlier runs left is removed by a later one. */
function sweep(): void {
  const hourAgo = Date.now() - 3_600_000;
  for (const path of readdirSync(cache).map((name) => join(cache, name)))
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < hourAgo)
      rmSync(path, { recursive: true, force: true });
}
