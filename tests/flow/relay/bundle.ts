import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/beckon-tests/", import.meta.url));

/** One file other runtimes can run. It lies below node_modules' parent, so that `ws` is found as in real life. */
export async function bundle(entry: URL, name: string): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const outfile = `${cache}${name}-${process.pid}-${Math.random().toString(36).slice(2)}.mjs`;
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["ws"],
    logLevel: "error",
  });
  return outfile;
}
