import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { muteCommand, readUntil } from "../../../src/server/cli/mute-command.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = "Europe/Berlin";
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});
/** 11:00 in Berlin */
const wall = Date.parse("2026-01-05T10:00:00Z");
function setUp() {
  const path = join(folder(), "state/mute.json");
  return {
    path,
    say: (line: string, now = wall) => muteCommand(line === "" ? [] : line.split(" "), { path, wall: now }),
  };
}
const iso = (words: string, now = wall) => {
  const until = readUntil(words.split(" "), now);
  return until.ok ? new Date(until.value).toISOString() : until.error;
};

test.each([
  ["30m", "2026-01-05T10:30:00.000Z"],
  ["90s", "2026-01-05T10:01:30.000Z"],
  ["1h30m", "2026-01-05T11:30:00.000Z"],
  ["1h 30m", "2026-01-05T11:30:00.000Z"],
  ["2d", "2026-01-07T10:00:00.000Z"],
  ["until 18:00", "2026-01-05T17:00:00.000Z"],
  ["until 9:05", "2026-01-06T08:05:00.000Z"],
  ["until 11:00", "2026-01-06T10:00:00.000Z"],
  ["until 2026-01-05T12:00:00Z", "2026-01-05T12:00:00.000Z"],
])("%s ends at %s", (words, end) => {
  expect(iso(words)).toBe(end);
});

test("a wall clock that is put forward or back overnight still means what it will show", () => {
  // Berlin: 2026-03-29 02:00 becomes 03:00; 2026-10-25 03:00 becomes 02:00
  expect(iso("until 07:00", Date.parse("2026-03-28T20:00:00Z"))).toBe("2026-03-29T05:00:00.000Z");
  expect(iso("until 07:00", Date.parse("2026-10-24T20:00:00Z"))).toBe("2026-10-25T06:00:00.000Z");
});

test.each([
  "30",
  "half an hour",
  "-5m",
  "0m",
  "m",
  "5x",
  "until",
  "until 25:00",
  "until 18",
  "until 2026-13-01T00:00:00Z",
  "off now",
  "1h-30m",
])("«%s» is bad usage that shows what would be right", async (words) => {
  const { path, say } = setUp();
  expect(await say(words)).toEqual({
    exitCode: 2,
    text: `expected a time such as 30m, 1h30m or 2d, «until 18:00», or off, found ${JSON.stringify(words)}`,
  });
  expect(existsSync(path)).toBe(false);
});

test("more than a week, and a time that is over, are refused", () => {
  expect(iso("8d")).toBe('expected at most 7 days, found "8d"');
  expect(iso("until 2020-01-01T00:00:00Z")).toBe('expected a time to come, found "until 2020-01-01T00:00:00Z"');
});

test("muting, asking and unmuting", async () => {
  const { path, say } = setUp();
  expect(await say("")).toEqual({ exitCode: 0, text: "Not muted." });
  expect(await say("1h30m")).toEqual({ exitCode: 0, text: "Muted until 12:30, for 1 h 30 min." });
  expect(readFileSync(path, "utf8")).toBe('{"until":"2026-01-05T11:30:00.000Z"}\n');
  expect(await say("", wall + 60_000)).toEqual({ exitCode: 0, text: "Muted until 12:30, for 1 h 29 min." });
  expect(await say("", wall + 5_400_000)).toEqual({ exitCode: 0, text: "Not muted." });
  expect(await say("off")).toEqual({ exitCode: 0, text: "Not muted." });
  expect(existsSync(path)).toBe(false);
  expect(await say("off")).toEqual({ exitCode: 0, text: "Not muted." });
});

test("another day is named", async () => {
  expect(await setUp().say("2d")).toEqual({ exitCode: 0, text: "Muted until 2026-01-07 11:00, for 2 d." });
});

test("a file that is no mute is a finding, and muting replaces it", async () => {
  const { path, say } = setUp();
  await say("5m");
  writeFileSync(path, "oops");
  expect(await say("")).toMatchObject({ exitCode: 1, text: expect.stringContaining("Not muted: ") });
  expect(await say("5m")).toMatchObject({ exitCode: 0 });
  expect(await say("")).toMatchObject({ exitCode: 0, text: "Muted until 11:05, for 5 min." });
});

test("a state folder that cannot be written is a finding", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "");
  const answer = await muteCommand(["5m"], { path: join(dir, "file/mute.json"), wall });
  expect(answer).toMatchObject({ exitCode: 1, text: expect.stringContaining("a part of the path is a file") });
});
