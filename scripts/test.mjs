// `npm test`: builds when something is newer than the build, runs vitest, and ends with one line: `N passed, N failed, N skipped`.
// Arguments go to vitest (`npm test -- tests/server/alerts`).
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isBuildStale } from "./test/stale.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const inCI = Boolean(process.env.CI);
/** Whatever a test leaves behind lies in here and goes with it. Others may pass: some tests run as another user. */
const scratch = mkdtempSync(join(tmpdir(), "beckon-"));
chmodSync(scratch, 0o711);
const needsLog = join(scratch, "missing");
const tallyFile = join(scratch, "tally.json");

try {
  process.exitCode = await main();
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function main() {
  if (await isBuildStale(root)) {
    const built = await run("scripts/build.mjs", []);
    if (built !== 0) return built;
  }
  const code = await run("node_modules/vitest/vitest.mjs", [
    "run",
    "--reporter=default",
    "--reporter=./scripts/test/tally-reporter.mjs",
    ...process.argv.slice(2),
  ]);
  const tally = readTally();
  if (!tally) {
    console.log("\nThe test run did not finish: nothing was counted.");
    return code || 1;
  }
  const refused = inCI && tally.skipped.length > 0 && !isExcused(missingPackages());
  reportSkipped(tally.skipped, refused);
  console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`);
  return code || (refused || tally.failed > 0 ? 1 : 0);
}

function run(script, args) {
  const env = {
    BECKON_LIVES: "100000",
    ...process.env,
    TMPDIR: scratch,
    BECKON_TALLY: tallyFile,
    BECKON_NEEDS_LOG: needsLog,
  };
  const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => child.kill(signal));
  return new Promise((done) => child.once("close", (code) => done(code ?? 1)));
}

function readTally() {
  try {
    return JSON.parse(readFileSync(tallyFile, "utf8"));
  } catch {
    return undefined; // vitest ended before it could report
  }
}

/** tests/rig/needs.ts appends one package name a line for whatever it had to skip. */
function missingPackages() {
  try {
    return [...new Set(readFileSync(needsLog, "utf8").split("\n").filter(Boolean))].sort();
  } catch {
    return []; // nothing was missing
  }
}

/** .ci/run names what this machine cannot install. */
function isExcused(missing) {
  const mayBeMissing = (process.env.BECKON_MAY_SKIP ?? "").split(" ");
  return missing.length > 0 && missing.every((name) => mayBeMissing.includes(name));
}

function reportSkipped(skipped, refused) {
  if (skipped.length === 0) return;
  console.log(`\nSkipped${refused ? " (not allowed here: CI is set)" : ""}:`);
  for (const { file, title } of skipped) console.log(`  ${file} > ${title}`);
  const missing = missingPackages();
  if (missing.length > 0) console.log(`Missing programs; Debian packages: ${missing.join(" ")}`);
  console.log("");
}
