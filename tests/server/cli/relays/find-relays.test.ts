import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRelays } from "../../../../src/server/cli/relays/find-relays.ts";

test.runIf(process.platform !== "win32")("a pipe that only looks like a relay's file holds nobody up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-relays-"));
  const pipe = join(folder, `${"a".repeat(16)}.json`);
  try {
    execFileSync("mkfifo", ["-m", "600", pipe]);
    expect(await findRelays([folder])).toEqual([{ id: "a".repeat(16), path: pipe, problem: "unreadable" }]);
  } finally {
    closeSync(openSync(pipe, constants.O_RDWR)); // whoever still reads there may go on
    rmSync(folder, { recursive: true });
  }
});
