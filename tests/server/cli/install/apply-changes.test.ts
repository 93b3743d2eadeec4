import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeChanges } from "../../../../src/server/cli/install/apply-changes.ts";
import { readRecord } from "../../../../src/server/cli/install/install-record.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();
const ours = '{ "plugin": ["opencode-beckon"] }';
const newer = '{ "plugin": ["opencode-beckon@2"] }';

test("one backup a file: the next installation's takes its place when somebody edited the file in between", async () => {
  const [state, path] = [join(folder(), "state"), join(folder(), "opencode.json")];
  writeFileSync(path, "{}");
  await writeChanges([{ path, before: "{}", after: ours }], state);
  const edited = '{ "model": "x", "plugin": ["opencode-beckon"] }';
  await writeChanges([{ path, before: edited, after: '{ "model": "x", "plugin": ["opencode-beckon@2"] }' }], state);
  expect(readdirSync(join(state, "backups"))).toHaveLength(1);
});

test("a folder the first installation made is remembered through the next one", async () => {
  const [state, root] = [join(folder(), "state"), folder()];
  const path = join(root, "made/opencode.json");
  await writeChanges([{ path, before: undefined, after: ours }], state);
  await writeChanges([{ path, before: ours, after: newer }], state);
  expect(await readRecord(state)).toMatchObject({ files: [{ path, after: newer, made: join(root, "made") }] });
});

test("what cannot be written stops it, with what was written before on record", async () => {
  const [state, root] = [join(folder(), "state"), folder()];
  const [first, second] = [join(root, "first"), join(root, "second")];
  mkdirSync(second);
  const written = await writeChanges(
    [first, second].map((path) => ({ path, before: undefined, after: ours })),
    state,
  );
  expect(written.ok).toBe(false);
  expect(existsSync(first)).toBe(true);
  expect((await readRecord(state)).files.map(({ path }) => path)).toEqual([first]);
});
