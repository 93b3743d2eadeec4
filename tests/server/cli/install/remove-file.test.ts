import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeEmptyFolders, removeFile } from "../../../../src/server/cli/install/remove-file.ts";
import { makeFolder } from "../../../../src/server/files/make-folder.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();

test("the folders made for a file go up to that one while nothing else lies in them", async () => {
  const root = folder();
  expect(await makeFolder(join(root, "a/b/c"))).toBe(join(root, "a"));
  mkdirSync(join(root, "a/other"));
  writeFileSync(join(root, "a/b/c/file"), "");
  await removeEmptyFolders(join(root, "a/b/c/gone"), join(root, "a"));
  expect(readdirSync(join(root, "a/b/c"))).toEqual(["file"]);
});

test("of a link only the file behind it goes", async () => {
  const root = folder();
  writeFileSync(join(root, "dotfile"), "{}");
  symlinkSync("dotfile", join(root, "opencode.json"));
  expect(await removeFile(join(root, "opencode.json"))).toEqual({ ok: true, value: undefined });
  expect(readdirSync(root)).toEqual(["opencode.json"]);
  expect(readlinkSync(join(root, "opencode.json"))).toBe("dotfile");
});
