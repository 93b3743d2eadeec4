import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectFolder, readText } from "../../../src/server/host-files/host-files.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();

test.each([".git", ".opencode", "opencode.json", "opencode.jsonc"])(
  "the project is the nearest folder with %s",
  (mark) => {
    const root = folder();
    const deep = join(root, "packages/app/src");
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(root, "packages", mark), "");
    expect(projectFolder(deep)).toBe(join(root, "packages"));
  },
);

test("a file that is not there is no trouble, whatever part of its path is missing; a folder in its place is one", () => {
  const root = folder();
  writeFileSync(join(root, "file"), "{}");
  expect(readText(join(root, "file"))).toEqual({ ok: true, value: "{}" });
  for (const path of ["gone", "gone/opencode.json", "file/opencode.json"])
    expect(readText(join(root, path))).toEqual({ ok: true, value: undefined });
  expect(readText(root)).toMatchObject({ ok: false, error: { kind: "not-a-file" } });
});
