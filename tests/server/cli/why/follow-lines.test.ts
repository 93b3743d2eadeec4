import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followLines } from "../../../../src/server/cli/why/follow-lines.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();

test("a file that was emptied is followed on from its new beginning", async () => {
  const path = join(folder(), "lines");
  writeFileSync(path, "old, and longer than what comes\n");
  const lines = await followLines(path, new AbortController().signal);
  truncateSync(path);
  appendFileSync(path, "new\n");
  expect(await lines.next()).toEqual({ done: false, value: "new" });
  await lines.return(undefined);
});

test("a character that lies across two reads stays whole", async () => {
  const path = join(folder(), "lines");
  writeFileSync(path, "");
  const lines = await followLines(path, new AbortController().signal);
  const line = `${"x".repeat(64 * 1_024 - 1)}é and on`;
  appendFileSync(path, `${line}\n`);
  expect((await lines.next()).value).toBe(line);
  await lines.return(undefined);
});
