import { readFileSync, writeFileSync } from "node:fs";
import { withLockFile } from "../../../../src/server/files/lock-file.ts";
import { startTogether } from "./start-together.ts";

// Adds one to the number in a file, many times, with a pause between reading and writing.
const [lock = "", counter = "", times = "0"] = process.argv.slice(2);
await startTogether();
for (let round = 0; round < Number(times); round += 1) {
  const held = await withLockFile(lock, { waitMs: 30_000 }, async () => {
    const before = Number(readFileSync(counter, "utf8"));
    await new Promise((next) => setImmediate(next));
    writeFileSync(counter, String(before + 1));
  });
  if (!held.ok) throw new Error(held.error.message);
}
