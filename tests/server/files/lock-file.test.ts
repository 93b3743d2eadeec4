import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withLockFile } from "../../../src/server/files/lock-file.ts";
import { createProgram } from "./programs/run-program.ts";
import { tempFolders } from "./programs/temp-folder.ts";

const folder = tempFolders();
const lockIn = (dir: string) => join(dir, "c.json.lock");
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

test("the lock is there while the work runs and gone afterwards, also when the work fails", async () => {
  const lock = lockIn(folder());
  expect(await withLockFile(lock, { waitMs: 0 }, async () => existsSync(lock))).toEqual({ ok: true, value: true });
  expect(existsSync(lock)).toBe(false);
  const failing = withLockFile(lock, { waitMs: 0 }, () => Promise.reject(new Error("work failed")));
  await expect(failing).rejects.toThrow("work failed");
  expect(existsSync(lock)).toBe(false);
});

test("a second one waits its turn", async () => {
  const lock = lockIn(folder());
  const order: string[] = [];
  const turn = (name: string) =>
    withLockFile(lock, { waitMs: 30_000 }, async () => {
      order.push(`${name} in`);
      await new Promise((next) => setTimeout(next, 5));
      order.push(`${name} out`);
    });
  await Promise.all([turn("a"), turn("b"), turn("c")]);
  for (let index = 0; index < order.length; index += 2) {
    expect(order[index + 1]).toBe(order[index]?.replace("in", "out"));
  }
  expect(order).toHaveLength(6);
});

test("who must not wait is told at once that it is busy", async () => {
  const lock = lockIn(folder());
  await withLockFile(lock, { waitMs: 0 }, async () => {
    const second = await withLockFile(lock, { waitMs: 0 }, async () => "ran");
    expect(second).toEqual({ ok: false, error: { kind: "busy", message: `${lock}: another process holds it` } });
  });
});

test("the lock of a process that died is broken", async () => {
  const lock = lockIn(folder());
  writeFileSync(lock, `${deadPid()} ${hostname()} x`);
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toEqual({ ok: true, value: "ran" });
});

test("the lock of another machine is respected until it is old", async () => {
  const dir = folder();
  const lock = lockIn(dir);
  writeFileSync(lock, `${deadPid()} elsewhere x`);
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toMatchObject({ ok: false });
  const past = new Date(Date.now() - 60_000);
  utimesSync(lock, past, past);
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toEqual({ ok: true, value: "ran" });
  expect(readdirSync(dir)).toEqual([]);
});

test("a process that lives keeps its lock, unless it is so old that its number may be another's", async () => {
  const lock = lockIn(folder());
  writeFileSync(lock, `${process.pid} ${hostname()} x`);
  const since = (ms: number) => utimesSync(lock, new Date(Date.now() - ms), new Date(Date.now() - ms));
  since(60_000);
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toMatchObject({
    ok: false,
    error: { kind: "busy" },
  });
  since(660_000);
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toEqual({ ok: true, value: "ran" });
});

test("half a lock, left by a crash, counts as busy for a while only", async () => {
  const lock = lockIn(folder());
  writeFileSync(lock, "");
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toMatchObject({
    ok: false,
    error: { kind: "busy" },
  });
  const past = new Date(Date.now() - 60_000);
  utimesSync(lock, past, past);
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toEqual({ ok: true, value: "ran" });
});

test("a breaker that died while breaking does not block for ever", async () => {
  const dir = folder();
  const lock = lockIn(dir);
  const past = new Date(Date.now() - 60_000);
  for (const path of [lock, `${lock}.break`]) {
    writeFileSync(path, `${deadPid()} ${hostname()} x`);
    utimesSync(path, past, past);
  }
  expect(await withLockFile(lock, { waitMs: 30_000 }, async () => "ran")).toEqual({ ok: true, value: "ran" });
  expect(readdirSync(dir)).toEqual([]);
});

test.each([
  ["an empty one from the future", ""],
  ["another machine's from the future", `1 elsewhere x`],
  ["that of a process which lives, from the future", `${process.pid} ${hostname()} x`],
])("a clock that was wrong holds nobody up for ever: %s", async (_name, holder) => {
  const lock = lockIn(folder());
  const future = new Date("2040-01-01");
  for (const path of [lock, `${lock}.break`]) {
    writeFileSync(path, holder);
    utimesSync(path, future, future);
  }
  expect(await withLockFile(lock, { waitMs: 30_000 }, async () => "ran")).toEqual({ ok: true, value: "ran" });
});

test.each(["a pipe", "a link to a device", "a link to nowhere", "a socket"])(
  "%s in its place is no lock, and makes nobody wait",
  async (kind) => {
    const dir = folder();
    const lock = lockIn(dir);
    if (kind === "a pipe") execFileSync("mkfifo", [lock]);
    else if (kind === "a socket") await once(createServer().listen(lock).unref(), "listening");
    else symlinkSync(kind === "a link to a device" ? "/dev/zero" : "nowhere", lock);
    expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toEqual({ ok: true, value: "ran" });
    expect(readdirSync(dir)).toEqual([]);
  },
);

test("a folder in its place is named", async () => {
  const lock = lockIn(folder());
  mkdirSync(lock);
  expect(await withLockFile(lock, { waitMs: 0 }, async () => "ran")).toEqual({
    ok: false,
    error: { kind: "unusable", message: `${lock}: is a folder, not a file` },
  });
});

test("somebody else's lock is not removed by one who lost it", async () => {
  const lock = lockIn(folder());
  await withLockFile(lock, { waitMs: 0 }, async () => writeFileSync(lock, "another"));
  expect(readFileSync(lock, "utf8")).toBe("another");
});

test("a place where no lock can be made is said by name", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "");
  const held = await withLockFile(join(dir, "file/c.lock"), { waitMs: 0 }, async () => "ran");
  expect(held).toMatchObject({ ok: false, error: { kind: "unusable" } });
});

test("processes of every runtime that add to one number lose no step, though they begin with a dead one's lock", async () => {
  const dir = folder();
  const counter = join(dir, "counter");
  writeFileSync(counter, "0");
  writeFileSync(lockIn(dir), `${deadPid()} ${hostname()} x`);
  const program = await createProgram(new URL("programs/hold-lock.ts", import.meta.url));
  const ends = await program.runAll((_runtime) => [lockIn(dir), counter, "100"]);
  await program.remove();
  expect(ends.filter(({ output }) => output !== "")).toEqual([]);
  expect(readFileSync(counter, "utf8")).toBe(String(100 * ends.length));
}, 120_000);
