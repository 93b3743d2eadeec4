import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision } from "../../../src/server/core/decision.ts";
import { changeLine, createJournal, journalLine } from "../../../src/server/journal/journal.ts";
import { readJournal, readJournalLines } from "../../../src/server/journal/read-journal.ts";
import { startSmallDisk } from "../../rig/small-disk.ts";
import { createProgram } from "../files/programs/run-program.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
const wall = Date.parse("2026-01-05T10:00:00Z");
const decision: Decision = {
  at: 5_400.4,
  alert: "done",
  sessionID: "ses_a",
  outcome: "delivered",
  reason: "unattended",
  channels: ["banner"],
  title: "Fix login",
  message: "Work finished after 12 minutes",
};
function setUp(stateDir = folder()) {
  const logged: string[] = [];
  const journal = createJournal({ stateDir, log: (line) => logged.push(line), pid: 7 });
  return { stateDir, journal, logged, path: join(stateDir, "journal.jsonl") };
}

test("a line is the decision without its message, with time, process and who was looking", () => {
  const asked: Decision = {
    ...decision,
    alert: "pause",
    requestID: "per_1",
    outcome: "suppressed",
    reason: "attended",
    channels: [],
    by: "tui_1",
    hidden: ["locked"],
  };
  expect(journalLine(decision, { wall, pid: 7 })).toBe(
    '{"time":"2026-01-05T10:00:00.000Z","pid":7,"t":5400,"alert":"done","sessionID":"ses_a","outcome":"delivered","reason":"unattended","channels":["banner"],"title":"Fix login"}',
  );
  expect(JSON.parse(journalLine(asked, { wall, pid: 7 }))).toEqual({
    time: "2026-01-05T10:00:00.000Z",
    pid: 7,
    t: 5_400,
    alert: "pause",
    sessionID: "ses_a",
    requestID: "per_1",
    outcome: "suppressed",
    reason: "attended",
    channels: [],
    title: "Fix login",
    by: "tui_1",
    hidden: ["locked"],
  });
});

test("whatever a host calls things, a line is one line of at most 4 KiB that can be read back", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary", maxLength: 5_000 }),
    fc.constantFrom("\u0000".repeat(9_000), "\ud800".repeat(9_000), "😀".repeat(9_000), "a\nb"),
  );
  fc.assert(
    fc.property(nasty, nasty, nasty, nasty, (sessionID, requestID, title, by) => {
      const line = journalLine({ ...decision, sessionID, requestID, title, by }, { wall, pid: 2 ** 31 });
      expect(line).not.toContain("\n");
      expect(Buffer.byteLength(line)).toBeLessThan(4_096);
      expect(JSON.parse(line)).toMatchObject({ alert: "done", outcome: "delivered" });
    }),
  );
});

const change = { key: "alerts.pause.mode", value: "both", author: "model", sessionID: "ses_a" } as const;

test("a change of a setting is a line of its own kind, and no decision", async () => {
  expect(changeLine(change, { wall, pid: 7 })).toBe(
    '{"time":"2026-01-05T10:00:00.000Z","pid":7,"change":"alerts.pause.mode","value":"both","author":"model","sessionID":"ses_a"}',
  );
  const { journal, stateDir } = setUp();
  journal.appendChange(change, { wall });
  journal.append(decision, { wall });
  journal.appendChange({ ...change, value: null }, { wall });
  await journal.flush();
  expect((await readJournal({ stateDir })).map(({ alert }) => alert)).toEqual(["done"]);
  expect(await readJournalLines(stateDir)).toMatchObject([
    { change: "alerts.pause.mode", value: "both", author: "model", sessionID: "ses_a" },
    { alert: "done" },
    { change: "alerts.pause.mode", value: null },
  ]);
});

test("whatever the model wrote, a change is one line of at most 4 KiB that can be read back", () => {
  const nasty = fc.oneof(
    fc.string({ unit: "binary", maxLength: 5_000 }),
    fc.constantFrom("\u0000".repeat(9_000), "\ud800".repeat(9_000), "😀".repeat(9_000), "a\nb"),
  );
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 200 }), nasty, (value, sessionID) => {
      const line = changeLine({ ...change, key: "alerts.exclude", value, sessionID }, { wall, pid: 2 ** 31 });
      expect(line).not.toContain("\n");
      expect(Buffer.byteLength(line)).toBeLessThan(4_096);
      expect(JSON.parse(line)).toMatchObject({ change: "alerts.exclude", author: "model" });
    }),
  );
});

test("lines are in the file in order, for its owner only", async () => {
  const { journal, path, stateDir } = setUp(join(folder(), "new/state"));
  for (let at = 0; at < 50; at += 1) journal.append({ ...decision, at }, { wall: wall + at });
  await journal.flush();
  const entries = await readJournal({ stateDir });
  expect(entries.map(({ t }) => t)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(stateDir).mode & 0o777).toBe(0o700);
});

test("at 1 MiB the file becomes .1 and a new one begins; nothing is lost in between", async () => {
  const { journal, path, stateDir } = setUp();
  const old = `${JSON.stringify({ filler: "x".repeat(1_000) })}\n`;
  writeFileSync(path, old.repeat(Math.ceil((1_024 * 1_024) / old.length) - 1));
  for (let at = 0; at < 100; at += 1) journal.append({ ...decision, at }, { wall });
  await journal.flush();
  expect(statSync(`${path}.1`).size).toBeGreaterThanOrEqual(1_024 * 1_024);
  expect(statSync(path).size).toBeLessThan(100_000);
  expect((await readJournal({ stateDir })).map(({ t }) => t)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(readdirSync(stateDir).sort()).toEqual(["journal.jsonl", "journal.jsonl.1"]);
});

test("after a torn line the next one stands on its own", async () => {
  const { journal, path, stateDir } = setUp();
  journal.append(decision, { wall });
  await journal.flush();
  truncateSync(path, statSync(path).size - 20);
  journal.append({ ...decision, at: 2 }, { wall });
  await journal.flush();
  expect((await readJournal({ stateDir })).map(({ t }) => t)).toEqual([2]);
});

test("a state folder that cannot be written is logged once and hurts nobody", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "");
  const { journal, logged } = setUp(join(dir, "file/state"));
  for (let at = 0; at < 5; at += 1) journal.append(decision, { wall });
  await journal.flush();
  expect(logged).toEqual([
    `journal not written: ${join(dir, "file/state/journal.jsonl")}: a part of the path is a file, not a folder`,
  ]);
});

test("a disk that fills up in the middle of a line loses that line and those until there is room, and no other", async () => {
  const stateDir = folder();
  using disk = startSmallDisk(stateDir, ["journal.jsonl"]);
  const { journal, logged } = setUp(stateDir);
  const write = (at: number) => {
    journal.append({ ...decision, at }, { wall });
    return journal.flush();
  };
  await write(1);
  disk.fill();
  await write(2);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatch(/: (the disk is full|is not a regular file)$/); // the second: not root, a link to /dev/full
  await write(3);
  expect(logged).toHaveLength(1);
  disk.free();
  await write(4);
  expect((await readJournal({ stateDir })).map(({ t }) => t)).toEqual([1, 4]);
});

test("a device in its place is logged once and gets nothing", async () => {
  const { journal, logged, path } = setUp();
  symlinkSync("/dev/full", path);
  journal.append(decision, { wall });
  journal.append(decision, { wall });
  await journal.flush();
  expect(logged).toEqual([`journal not written: ${path}: is not a regular file`]);
});

test("a folder in its place is logged once, and the journal goes on when it is gone", async () => {
  const { journal, logged, path, stateDir } = setUp();
  mkdirSync(path);
  journal.append(decision, { wall });
  await journal.flush();
  rmdirSync(path);
  journal.append(decision, { wall });
  await journal.flush();
  expect(logged).toEqual([`journal not written: ${path}: is a folder, not a file`]);
  expect(await readJournal({ stateDir })).toHaveLength(1);
});

test("processes of every runtime write and rotate one journal: every line is whole, none is lost, none twice", async () => {
  const { path, stateDir } = setUp();
  const program = await createProgram(new URL("programs/write-journal.ts", import.meta.url));
  const lines = 1_800; // together more than one and less than two files
  const ends = await program.runAll((name) => [stateDir, name, String(lines)]);
  await program.remove();
  expect(ends.map(({ output }) => output)).toEqual(["", "", ""]);
  const text = readFileSync(`${path}.1`, "utf8") + readFileSync(path, "utf8");
  const written = text.split("\n").filter((line) => line !== "");
  for (const line of written) expect(() => JSON.parse(line)).not.toThrow();
  const entries = await readJournal({ stateDir });
  for (const name of ["a", "b", "c"]) {
    const mine = entries.filter(({ sessionID }) => sessionID === name).map(({ t }) => t);
    expect(mine).toEqual(Array.from({ length: lines }, (_, index) => index));
  }
  expect(written).toHaveLength(3 * lines);
});
