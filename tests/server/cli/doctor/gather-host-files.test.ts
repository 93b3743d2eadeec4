import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { gatherHostFiles } from "../../../../src/server/cli/doctor/gather-host-files.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();

/** What is found in a home folder with these files below its `.config/opencode`. */
function found(files: Record<string, string>) {
  const home = folder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(home, ".config/opencode", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return gatherHostFiles({ env: {}, home, platform: "linux" }, folder());
}

test.each([
  ["", true],
  ["{ // mine\n}", true],
  ["\uFEFF{}", true],
  ['{ "a": 1, "a": 2 }', true],
  ["{", false],
  ["[]", false],
])("opencode can read the file %j: %s", async (text, isJSON) => {
  expect(await found({ "opencode.json": text })).toMatchObject([{ role: "server", isJSON }]);
});

test("only our own folder without a build is unbuilt; others need none", async () => {
  const [file] = await found({
    "opencode.json": '{ "plugin": ["./opencode-beckon", "./other", "./gone", "./one.js", "name"] }',
    "opencode-beckon/package.json": '{ "name": "opencode-beckon", "version": "0.1.0" }',
    "other/package.json": '{ "name": "other", "version": "2.0.0" }',
    "one.js": "",
  });
  expect(file?.entries.map(({ target }) => target)).toEqual([
    { kind: "unbuilt" },
    { kind: "folder", version: "2.0.0" },
    { kind: "missing" },
    { kind: "file" },
    undefined,
  ]);
});

test("files opencode loads because of where they lie are found, ours by what stands in them", async () => {
  const files = await found({ "plugin/a.js": 'import "opencode-beckon"', "plugins/b.ts": "", "plugins/notes.md": "" });
  expect(files.map(({ role, entries }) => [role, entries[0]?.ours])).toEqual([
    ["loose", true],
    ["loose", false],
  ]);
});
