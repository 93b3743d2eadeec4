// `npm run bench`: measures what we promise (docs/testing.md, "Measuring"), each beside a bare baseline of the same run.
// Prints a table, writes bench-result.json, and exits 0 whether or not a target is met: machines differ.
// `npm run bench -- import sessions` runs only these groups.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { arch, cpus, platform } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { absent, table } from "./bench/row.mjs";
import { isBuildStale } from "./test/stale.mjs";

const groups = {
  import: "import-time.mjs",
  events: "event-cost.mjs",
  channel: "channel.mjs",
  sessions: "sessions.mjs",
  dispose: "dispose.mjs",
  bus: "bus.mjs",
  relay: "relay.mjs",
  strangers: "strangers.mjs",
};

const root = fileURLToPath(new URL("..", import.meta.url));
const doors = {
  server: new URL("../dist/server/index.js", import.meta.url).href,
  tui: new URL("../dist/tui/index.js", import.meta.url).href,
};

if (await isBuildStale(root)) await import("./build.mjs");
const asked = process.argv.slice(2);
const rows = [];
for (const [name, file] of Object.entries(groups)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure(name, file)));
}
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${platform()} ${arch()}, Node ${process.versions.node}`;
console.log(`${machine}\n\n${table(rows)}`);
await writeFile(new URL("../bench-result.json", import.meta.url), `${JSON.stringify({ machine, rows }, null, 2)}\n`);

async function measure(name, file) {
  const url = new URL(`bench/${file}`, import.meta.url);
  if (!existsSync(url)) return [absent(name, file, "not built yet")];
  try {
    return await (await import(url.href)).rows({ doors });
  } catch (error) {
    return [absent(name, "all", error instanceof Error ? error.message : String(error))];
  }
}
