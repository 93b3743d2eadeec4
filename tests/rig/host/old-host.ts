import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const version = "1.17.18";
/** On x64 the build that starts on every processor. */
const name = `opencode-${process.platform}-${process.arch}${process.arch === "x64" ? "-baseline" : ""}`;

/**
 * The real opencode 1.17 from the registry. Where it cannot be had (no network, no build for this platform) a program that
 * answers `--version` as that one does, and the report says so.
 */
export function oldHost(folder: string): { version: string; program: string } {
  mkdirSync(folder);
  try {
    const options = ["--no-save", "--ignore-scripts", "--prefer-offline", "--prefix", folder];
    execFileSync("npm", ["install", ...options, `${name}@${version}`], { cwd: folder, stdio: "pipe", timeout: 60_000 });
    return { version, program: join(folder, "node_modules", name, "bin/opencode") };
  } catch {
    console.warn(`${name}@${version} cannot be had here: a stand-in tells its version`);
    const program = join(folder, "opencode");
    writeFileSync(program, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return { version, program };
  }
}
