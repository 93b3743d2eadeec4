import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeEmptyFolders, replaceFile } from "../../../../src/server/cli/install/replace-file.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();

test("a file of opencode's that only its owner may read stays so", async () => {
  const path = join(folder(), "opencode.json");
  writeFileSync(path, "{}");
  chmodSync(path, 0o600);
  expect(await replaceFile(path, '{ "a": 1 }')).toEqual({ ok: true, value: undefined });
  expect(readFileSync(path, "utf8")).toBe('{ "a": 1 }');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the folders made for a file are named, and go up to that one while nothing else lies in them", async () => {
  const root = folder();
  const made = await replaceFile(join(root, "a/b/c/file"), "");
  expect(made).toEqual({ ok: true, value: join(root, "a") });
  mkdirSync(join(root, "a/other"));
  await removeEmptyFolders(join(root, "a/b/c/gone"), join(root, "a"));
  expect(readdirSync(join(root, "a/b/c"))).toEqual(["file"]);
});
