import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLineFile } from "../../../src/server/files/append-lines.ts";
import { tempFolders } from "./programs/temp-folder.ts";

const folder = tempFolders();
function setUp() {
  const path = join(folder(), "lines");
  const failures: string[] = [];
  const file = createLineFile({ path, rotateBytes: 1_000_000, onFailure: (why) => failures.push(why) });
  const append = (line: string): Promise<void> => {
    file.append(line);
    return file.flush();
  };
  return { path, file, failures, append, lines: () => readFileSync(path, "utf8").trimEnd().split("\n") };
}

test("the same trouble is told once, and once more when lines got through in between", async () => {
  const { path, failures, append } = setUp();
  mkdirSync(path);
  await append("lost");
  await append("lost too");
  rmdirSync(path);
  await append("written");
  rmSync(path);
  mkdirSync(path);
  await append("lost again");
  expect(failures).toEqual([`${path}: is a folder, not a file`, `${path}: is a folder, not a file`]);
});

test("a thousand lines may wait; what comes then is left out, and that is said", async () => {
  const { file, failures, lines } = setUp();
  for (let number = 1; number <= 1_001; number += 1) file.append(String(number));
  await file.flush();
  expect(lines()).toHaveLength(1_000);
  expect(lines().at(-1)).toBe("1000");
  expect(failures).toEqual([expect.stringContaining("too many lines wait to be written")]);
});

test("a line longer than one write that nobody can get into is written all the same, and holds nothing up", async () => {
  const { file, lines } = setUp();
  const long = "x".repeat(5_000);
  for (const line of [long, "short", long]) file.append(line);
  await file.flush();
  expect(lines()).toEqual([long, "short", long]);
});

test.each(["pipe", "/dev/zero", "/dev/full"])("a %s in its place gets nothing and holds nobody up", async (what) => {
  const { path, file, failures, append } = setUp();
  if (what === "pipe") execFileSync("mkfifo", [path]);
  else symlinkSync(what, path);
  await append("lost");
  file.appendNow("lost, too");
  expect(failures).toEqual([`${path}: is not a regular file`]);
});

test("the last line of a process is written, in a folder that has to be made, and after what stood there", async () => {
  const root = folder();
  const path = join(root, "a/b/lines");
  const file = createLineFile({ path, rotateBytes: 1_000, onFailure: () => {} });
  file.appendNow("one");
  file.appendNow("two");
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  expect(statSync(join(root, "a")).mode & 0o777).toBe(0o700);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a place where no folder can be made is told, by whoever writes there", () => {
  const failures: string[] = [];
  const path = "/proc/nowhere/deep/lines"; // to make a folder there says that its parent is missing, which it is not
  const file = createLineFile({ path, rotateBytes: 1_000, onFailure: (why) => failures.push(why) });
  file.appendNow("lost");
  expect(failures).toEqual([`${path}: does not exist`]);
});
