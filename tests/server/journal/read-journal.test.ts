import { appendFileSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readJournal } from "../../../src/server/journal/read-journal.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
const line = (t: number, sessionID = "ses_a", more = {}) =>
  `${JSON.stringify({ time: "2026-01-05T10:00:00.000Z", pid: 7, t, alert: "done", sessionID, outcome: "silent", reason: "synthetic", channels: [], ...more })}\n`;

function setUp(newer: string, older?: string) {
  const stateDir = folder();
  const path = join(stateDir, "journal.jsonl");
  writeFileSync(path, newer);
  if (older !== undefined) writeFileSync(`${path}.1`, older);
  return { stateDir, path };
}
const times = async (query: Parameters<typeof readJournal>[0]) => (await readJournal(query)).map(({ t }) => t);

test("both files are read, oldest first", async () => {
  const { stateDir } = setUp(line(3) + line(4), line(1) + line(2));
  expect(await times({ stateDir })).toEqual([1, 2, 3, 4]);
});

test("a file that is rotated while both are opened is found twice and counts once", async () => {
  const { stateDir, path } = setUp(line(1) + line(2));
  linkSync(path, `${path}.1`);
  expect(await times({ stateDir })).toEqual([1, 2]);
});

test("the newest few, also across both files", async () => {
  const { stateDir } = setUp(line(3) + line(4), line(1) + line(2));
  expect(await times({ stateDir, last: 3 })).toEqual([2, 3, 4]);
  expect(await times({ stateDir, last: 0 })).toEqual([]);
  expect(await times({ stateDir, last: 100 })).toEqual([1, 2, 3, 4]);
});

test("only one session's, and the newest few of those", async () => {
  const { stateDir } = setUp(line(1, "ses_a") + line(2, "ses_b") + line(3, "ses_a") + line(4, "ses_b"));
  expect(await times({ stateDir, sessionID: "ses_a" })).toEqual([1, 3]);
  expect(await times({ stateDir, sessionID: "ses_a", last: 1 })).toEqual([3]);
});

test("a torn last line, blank lines and other people's text are skipped", async () => {
  const { stateDir, path } = setUp(`${line(1)}\n\nnot json\n{"time":1}\n[]\nnull\n${line(2)}`);
  appendFileSync(path, line(3).slice(0, 40));
  expect(await times({ stateDir })).toEqual([1, 2]);
});

test("a code this version does not know is shown as it stands", async () => {
  const { stateDir } = setUp(line(1, "ses_a", { outcome: "sent", reason: "by-owl", extra: 1 }));
  expect(await readJournal({ stateDir })).toMatchObject([{ outcome: "sent", reason: "by-owl" }]);
});

test("no journal, or a folder in its place, is an empty journal", async () => {
  const stateDir = folder();
  expect(await readJournal({ stateDir })).toEqual([]);
  expect(await readJournal({ stateDir: join(stateDir, "nowhere") })).toEqual([]);
  mkdirSync(join(stateDir, "journal.jsonl"));
  expect(await readJournal({ stateDir })).toEqual([]);
});
