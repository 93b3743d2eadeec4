import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The test plugin as one file, its zod inlined, as the real doors are built. */
export async function bundlePlugin(folder: string): Promise<string> {
  const outfile = join(folder, "plugin.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("plugin-v1.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
  return outfile;
}
