import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./host/package-root.ts";

/** The script that stands in `bun/bin` until the package's postinstall has put the program there is a few hundred bytes. */
const leastBytes = 1_000_000;

const kinds = ["", "-baseline", "-musl", "-musl-baseline"];

/**
 * The program of the development dependency `bun`: in the package of this platform's build, or, once its postinstall
 * has run, moved into `bun` itself. Throws when it is not installed.
 */
export function newestBun(): string {
  const arch = process.arch === "arm64" ? "aarch64" : process.arch;
  const builds = kinds.map((kind) => `@oven/bun-${process.platform}-${arch}${kind}/bin/bun`);
  const places = [...builds, "bun/bin/bun.exe"].map((path) => join(packageRoot(), "node_modules", path));
  const found = places.find((path) => existsSync(path) && statSync(path).size > leastBytes);
  if (found === undefined) throw new Error('Bun is not installed: run "npm ci" without --omit=optional');
  return found;
}
