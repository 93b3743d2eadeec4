import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLineFile } from "../../../src/server/files/append-lines.ts";
import { withLockFile } from "../../../src/server/files/lock-file.ts";
import { makeFolder } from "../../../src/server/files/make-folder.ts";
import { writeAtomic } from "../../../src/server/files/write-atomic.ts";
import { readOnlyWords, startReadOnlyDisk } from "../../rig/read-only-disk.ts";
import { tempFolders } from "./programs/temp-folder.ts";

const folder = tempFolders();

test("says which folder was the first that had to be made", async () => {
  const dir = folder();
  expect(await makeFolder(join(dir, "a/b"))).toBe(join(dir, "a"));
  expect(await makeFolder(join(dir, "a/b/c"))).toBe(join(dir, "a/b/c"));
  expect(await makeFolder(join(dir, "a/b/c"))).toBeUndefined();
});

test("a file in the way is no folder", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "");
  await expect(makeFolder(join(dir, "file/below"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("whatever writes below a folder that cannot be made says why", async () => {
  const dir = folder();
  using _ = startReadOnlyDisk(join(dir, "disk"));
  const path = join(dir, "disk/two/new/file");
  expect(await writeAtomic(path, "text")).toMatchObject({ error: { message: expect.stringMatching(readOnlyWords) } });
  const locked = await withLockFile(`${path}.lock`, { waitMs: 0 }, async () => {});
  expect(locked).toMatchObject({ error: { kind: "unusable", message: expect.stringMatching(readOnlyWords) } });
  const complaints: string[] = [];
  const lines = createLineFile({ path, rotateBytes: 1_000, onFailure: (why) => complaints.push(why) });
  lines.append("line");
  await lines.flush();
  expect(complaints).toEqual([expect.stringMatching(readOnlyWords)]);
});
