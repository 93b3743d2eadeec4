import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../../src/shared/result.ts";
import { packageRoot } from "./package-root.ts";

export const hostVersion = "1.18.33";

const platform = process.platform === "win32" ? "windows" : process.platform;
const program = process.platform === "win32" ? "opencode.exe" : "opencode";
const builds = ["", "-baseline", "-musl", "-baseline-musl"].map(
  (suffix) => `opencode-${platform}-${process.arch}${suffix}`,
);

const runs = (path: string) => {
  const asked = spawnSync(path, ["-e", "0"], { env: { BUN_BE_BUN: "1" }, stdio: "ignore", timeout: 20_000 });
  return asked.status === 0;
};

/**
 * The real program of the development dependency `opencode-ai`. Its own launcher is not used: a blocked postinstall leaves it
 * without a program. Of several builds (glibc or musl, with or without AVX2) the first that starts on this machine.
 */
export function findHost(root = packageRoot()): Result<string, string> {
  const there = builds
    .map((name) => join(root, "node_modules", name, "bin", program))
    .filter((path) => existsSync(path));
  const usable = there.length > 1 ? there.find(runs) : there[0];
  if (usable !== undefined) return ok(usable);
  const looked = builds.map((name) => `node_modules/${name}`).join(", ");
  return fail(
    there.length > 0
      ? `opencode ${hostVersion} is installed, but does not run here (${there.join(", ")})`
      : `opencode ${hostVersion} is not installed: looked for ${looked}. Run "npm ci" without --omit=optional.`,
  );
}
