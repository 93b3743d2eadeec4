import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Below the package's node_modules, so that `ws` is found as in real life. */
const cache = fileURLToPath(new URL("../../../node_modules/.cache/beckon-tests/", import.meta.url));

/** The entry as plain JavaScript other runtimes can run, in parts as `import()` divides it. Returns its path. */
export async function bundle(entry: URL): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, "bundle-"));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
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
