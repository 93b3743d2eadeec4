import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { repository } from "./command-bench.ts";

/** The command as it is shipped: bundled in chunks, run by Node, in a package folder of its own. */
export async function buildCommand() {
  const folder = mkdtempSync(join(tmpdir(), "beckon-command-"));
  await build({
    absWorkingDir: repository,
    entryPoints: ["src/server/cli/main.ts"],
    outdir: join(folder, "dist"),
    outbase: "src",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["ws", "dbus-native"],
    logLevel: "silent",
    banner: {
      js: 'import { createRequire as beckonRequire } from "node:module";\nconst require = beckonRequire(import.meta.url);',
    },
  });
  copyFileSync(join(repository, "package.json"), join(folder, "package.json"));
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    main: join(folder, "dist/server/cli/main.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Ran = { code: number | null; stdout: string; stderr: string };

/** Runs a program to its end. `stdin` stays closed. */
export function runIn(
  cwd: string,
  env: Record<string, string | undefined>,
  program: string,
  args: readonly string[],
): Promise<Ran> {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  const ran = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    ran.stdout += String(text);
  });
  child.stderr.on("data", (text) => {
    ran.stderr += String(text);
  });
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ code, ...ran }));
  });
}
