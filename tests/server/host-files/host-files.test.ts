import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { existingFiles, projectFolder } from "../../../src/server/host-files/host-files.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();

test.each([".git", ".opencode", "opencode.json", "opencode.jsonc"])(
  "the project is the nearest folder with %s",
  async (mark) => {
    const root = folder();
    const deep = join(root, "packages/app/src");
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(root, "packages", mark), "");
    expect(await projectFolder(deep)).toBe(join(root, "packages"));
  },
);

test("a file that is not there is no trouble, whatever part of its path is missing; a folder in its place is one", async () => {
  const root = folder();
  writeFileSync(join(root, "opencode.jsonc"), "{}");
  const found = { role: "server", path: join(root, "opencode.jsonc"), text: "{}" };
  const folders = [root, join(root, "gone"), join(root, "opencode.jsonc")];
  expect(await existingFiles("server", folders)).toEqual({ ok: true, value: [found] });
  mkdirSync(join(root, "tui.json"));
  expect(await existingFiles("terminal", folders)).toMatchObject({ ok: false, error: { kind: "not-a-file" } });
});
