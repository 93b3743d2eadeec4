import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Runtime, runtimes } from "../../../flow/relay/runtimes.ts";

export type End = { code: number | null; output: string };
export type Program = {
  /** Runs it (once it called `startTogether`) at the same time under Node and each Bun that hosts bring, three processes at least. */
  runAll(args: (name: string) => string[]): Promise<End[]>;
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
  const together = join(folder, "together");
  await mkdir(together);
  const meeting = { TEST_TOGETHER: together, TEST_TOGETHER_COUNT: "3" };
  const processes = [0, 1, 2].map((index) => ({
    name: "abc"[index] ?? "",
    runtime: runtimes[index % runtimes.length],
  }));
  return {
    runAll: (args) =>
      Promise.all(processes.map(({ name, runtime }) => run(runtime, [outfile, ...args(name)], meeting))),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function run(runtime: Runtime | undefined, args: string[], more: Record<string, string>): Promise<End> {
  const { command, args: flags, env } = runtime ?? { command: process.execPath, args: [], env: {} };
  const child = spawn(command, [...flags, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env, ...more },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((done) => child.once("close", (code) => done({ code, output })));
}
