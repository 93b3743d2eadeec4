import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Imports a TypeScript file of this package on any Node, 20 included: bundled for the moment into node_modules/.cache.
 * @param {string} path relative to the package, e.g. "tests/rig/demo/main.ts"
 */
export async function loadTypeScript(path) {
  const folder = join(root, "node_modules", ".cache", "opencode-beckon");
  const outfile = join(folder, `${path.replaceAll(/\W/g, "-")}-${process.pid}.mjs`);
  await mkdir(folder, { recursive: true });
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [path],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      sourcemap: "inline",
      logLevel: "error",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
}
