// Builds dist/: each door is bundled on its own, so that neither drags in what only another one needs;
// what is reached by `import()` becomes a chunk that is not read before its first use. tsc makes the declarations,
// of which only those are kept that a door's own declaration reaches. `--js` leaves the declarations as they are.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

// commander is CommonJS and asks for `require`, which an ES module has not got.
const withRequire =
  'import { createRequire as beckonRequire } from "node:module";\nconst require = beckonRequire(import.meta.url);';

const doors = [
  { name: "server", entry: "src/server/index.ts" },
  { name: "tui", entry: "src/tui/index.ts" },
  { name: "cli", entry: "src/server/cli/main.ts", banner: withRequire, executable: true },
];

const started = new Date();
const withTypes = !process.argv.includes("--js");
const present = doors.filter(({ entry }) => {
  const there = existsSync(join(root, entry));
  if (!there) console.log(`build: ${entry} does not exist yet, skipped`);
  return there;
});
const typed = withTypes ? present.filter(({ name }) => name !== "cli") : [];
const [bundles, declared] = await Promise.all([Promise.all(present.map(bundle)).catch(giveUp), declare(typed)]);
if (bundles === undefined) process.exit(1);
const bundled = bundles.flat();
const licenses = await writeLicenses(new Set(bundled.flatMap((file) => file.packages)));
const written = new Set([...bundled.map((file) => file.path), ...declared.files, licenses]);
await removeAllBut(
  dist,
  (path) => written.has(path) || path.endsWith(".built") || (!withTypes && path.endsWith(".d.ts")),
);
for (const { entry, bytes, imports } of present.map((door) => describe(door, bundled))) {
  console.log(`build: ${entry} ${kib(bytes)}${imports > 0 ? ` in ${imports + 1} files read at start` : ""}`);
}
if (declared.errors.length > 0) {
  console.error(`${declared.errors.join("\n")}\nbuild: the declarations have errors (dist/**/*.js is built)`);
  process.exitCode = 1;
}
if (withTypes && declared.errors.length === 0) await writeStamp(join(dist, ".built"));
console.log(`build: ${Date.now() - started.getTime()} ms`);

/** esbuild has printed its own errors; anything else is a bug of this script. */
function giveUp(error) {
  if (!Array.isArray(error.errors)) throw error;
  console.error(`build: failed with ${error.errors.length} error(s)`);
}

/** scripts/test/stale.mjs compares with the time this build began. */
async function writeStamp(path) {
  await writeFile(path, "");
  await utimes(path, started, started);
}

/** @returns the files written, each with what it imports at start. */
async function bundle({ name, entry, banner, executable }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: "dist",
    outbase: "src",
    chunkNames: `chunks/${name}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["ws", "dbus-native"],
    legalComments: "none",
    logLevel: "warning",
    ...(banner && { banner: { js: banner } }),
  });
  for (const { path, contents } of outputFiles) await replaceIfChanged(path, contents);
  const main = join(root, entry.replace(/^src/, "dist").replace(/\.ts$/, ".js"));
  if (executable) await chmod(main, 0o755);
  return outputFiles.map(({ path, contents }) => ({
    path,
    bytes: contents.length,
    imports: metafile.outputs[relative(root, path)].imports
      .filter(({ kind, external }) => kind === "import-statement" && !external)
      .map((imported) => join(root, imported.path)),
    packages: Object.keys(metafile.inputs).flatMap(
      (input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
    ),
  }));
}

/** What is inlined keeps its copyright notice. @returns the file's path. */
async function writeLicenses(packages) {
  const texts = [...packages].sort().map(async (name) => {
    const folder = join(root, "node_modules", name);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is inlined, but has no license file`);
    return `${name}\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  });
  const path = join(dist, "third-party-licenses.txt");
  if (packages.size > 0)
    await replaceIfChanged(path, Buffer.from((await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`)));
  return path;
}

async function adopt(from, to) {
  const contents = await readFile(from).catch(() => undefined);
  if (contents !== undefined) await replaceIfChanged(to, contents);
}

/** A host that runs from this tree sees the old file or the new one, never half. */
async function replaceIfChanged(path, contents) {
  const before = await readFile(path).catch(() => undefined);
  if (before?.equals(contents)) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, contents);
  await rename(draft, path);
}

/** Leftovers of an earlier build must not be packed. */
async function removeAllBut(folder, isKept) {
  for (const item of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, item.name);
    if (item.isDirectory()) {
      await removeAllBut(path, isKept);
      await rmdir(path).catch(() => {}); // not empty: still in use
    } else if (!isKept(path)) await rm(path, { force: true });
  }
}

function describe({ entry }, files) {
  const main = join(root, entry.replace(/^src/, "dist").replace(/\.ts$/, ".js"));
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const next of files.find((file) => file.path === path)?.imports ?? []) visit(next);
  };
  visit(main);
  const bytes = [...seen].reduce((sum, path) => sum + (files.find((file) => file.path === path)?.bytes ?? 0), 0);
  return { entry, bytes, imports: seen.size - 1 };
}

function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}

/**
 * tsc checks and emits every file the doors reach. Errors inside the house are for `npm run types`;
 * here only those count that stand in a declaration we ship.
 */
async function declare(typedDoors) {
  if (typedDoors.length === 0) return { files: [], errors: [] };
  const emitted = await mkdtemp(join(tmpdir(), "beckon-types-"));
  try {
    const complaints = await runTsc(["-p", "tsconfig.build.json", "--outDir", emitted, "--pretty", "false"]);
    const shipped = new Set();
    for (const { entry } of typedDoors) await collectDeclarations(emitted, declarationOf(entry), shipped);
    for (const file of shipped) await adopt(join(emitted, file), join(dist, file));
    const errors = complaints.filter((line) => {
      const file = /^(src\/[^(]+)\(/.exec(line)?.[1];
      return file === undefined ? line.startsWith("error") : shipped.has(declarationOf(file));
    });
    return { files: [...shipped].map((file) => join(dist, file)), errors };
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

function declarationOf(source) {
  return source.replace(/^src\//, "").replace(/\.ts$/, ".d.ts");
}

async function collectDeclarations(folder, file, found) {
  if (found.has(file)) return;
  found.add(file);
  const text = await readFile(join(folder, file), "utf8").catch(() => undefined); // an error keeps tsc from emitting it
  if (text === undefined) return;
  for (const [, imported] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    await collectDeclarations(folder, join(dirname(file), imported.replace(/\.[jt]s$/, ".d.ts")), found);
  }
}

/** @returns what tsc prints, line by line. */
function runTsc(args) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const child = spawn(process.execPath, [tsc, ...args], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more) => {
    text += more;
  });
  return new Promise((done) => child.once("close", () => done(text.split("\n"))));
}
