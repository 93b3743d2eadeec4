import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Holds a program until as many of its kind have come here as its environment says. */
export async function startTogether(): Promise<void> {
  const folder = process.env.TEST_TOGETHER ?? "";
  writeFileSync(join(folder, String(process.pid)), "");
  while (readdirSync(folder).length < Number(process.env.TEST_TOGETHER_COUNT)) await wait(1);
}
