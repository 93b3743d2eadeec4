import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDebugLog } from "../../../src/server/journal/debug-log.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
const setUp = (details: boolean, stateDir = folder()) => {
  const log = createDebugLog({ stateDir, details, pid: 7, wall: () => Date.parse("2026-01-05T10:00:00Z") });
  return { log, path: join(stateDir, "beckon.log") };
};

test("problems are always written, details only when wanted", async () => {
  for (const details of [false, true]) {
    const { log, path } = setUp(details);
    log.problem("notify-send is missing");
    log.detail?.("relay listens");
    await log.flush();
    const lines = ["2026-01-05T10:00:00.000Z 7 problem notify-send is missing\n"];
    if (details) lines.push("2026-01-05T10:00:00.000Z 7 detail relay listens\n");
    expect(readFileSync(path, "utf8")).toBe(lines.join(""));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test("without a problem there is no file", async () => {
  const { log, path } = setUp(false);
  log.detail?.("relay listens");
  await log.flush();
  expect(existsSync(path)).toBe(false);
});

test("an entry is one bounded line without control characters", async () => {
  const { log, path } = setUp(false);
  log.problem(`bad\u001b[31m title\r\nwith lines\u0000${"x".repeat(100_000)}\ud800`);
  await log.flush();
  const text = readFileSync(path, "utf8");
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toContain("problem bad title with linesxxx");
  expect(text.length).toBeLessThan(2_100);
});

test("it never grows beyond 256 KiB and one older file", async () => {
  const { log, path } = setUp(false);
  writeFileSync(path, `${"old\n".repeat(65_535)}`);
  log.problem("one more");
  await log.flush();
  log.problem("and another");
  await log.flush();
  expect(statSync(`${path}.1`).size).toBeGreaterThanOrEqual(256 * 1_024);
  expect(readFileSync(path, "utf8")).toContain("and another");
});

test("a folder that cannot be written stays without a log and hurts nobody", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "");
  const { log, path } = setUp(true, join(dir, "file"));
  log.problem("nobody reads this");
  await log.flush();
  expect(existsSync(path)).toBe(false);
});
