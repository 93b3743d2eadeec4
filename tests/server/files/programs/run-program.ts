import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export type Program = {
  /** Runs it in a process of its own; resolves with its exit code and what it wrote. */
  run(...args: string[]): Promise<{ code: number | null; output: string }>;
  remove(): Promise<void>;
};

/** A TypeScript program as a file any Node can run. */
export async function createProgram(entry: URL): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-program-"));
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
  return {
    run(...args) {
      const child = spawn(process.execPath, [outfile, ...args], { stdio: ["ignore", "pipe", "pipe"] });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      return new Promise((done) => child.once("close", (code) => done({ code, output })));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
