import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gatherFolders } from "../../../../src/server/cli/doctor/gather-folders.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();
const stateOf = async (path: string) => {
  const env = { BECKON_STATE_DIR: path, XDG_CONFIG_HOME: folder(), XDG_RUNTIME_DIR: folder() };
  return (await gatherFolders({ env, home: folder(), platform: "linux" })).state;
};

/** A folder of another user's: given away where we may, else one of the system's. */
function foreignFolder(): string {
  if (process.getuid?.() !== 0) return "/usr";
  const path = folder();
  chownSync(path, 1, 1);
  return path;
}

test("a folder of ours is good when nobody else may read it", async () => {
  const path = folder();
  chmodSync(path, 0o700);
  expect(await stateOf(path)).toEqual({ path, state: "good" });
  chmodSync(path, 0o750);
  expect(await stateOf(path)).toEqual({ path, state: "loose" });
});

test("a folder of somebody else's is foreign before anything else", async () => {
  const path = foreignFolder();
  expect(await stateOf(path)).toEqual({ path, state: "foreign" });
});

test("what is not there yet is judged by the folder it would be made in", async () => {
  const above = folder();
  expect(await stateOf(join(above, "a/b"))).toEqual({ path: join(above, "a/b"), state: "missing" });
  writeFileSync(join(above, "file"), "");
  expect(await stateOf(join(above, "file"))).toEqual({ path: join(above, "file"), state: "not-a-folder" });
  const inFile = join(above, "file/b");
  expect(await stateOf(inFile)).toEqual({ path: inFile, state: "not-a-folder", above: join(above, "file") });
});

test("a configuration file others may read is loose, a linked one is its owner's business", async () => {
  const config = folder();
  mkdirSync(join(config, "opencode-beckon"));
  const file = join(config, "opencode-beckon/config.json");
  writeFileSync(file, "{}", { mode: 0o644 });
  const env = { BECKON_STATE_DIR: folder(), XDG_CONFIG_HOME: config };
  const facts = await gatherFolders({ env, home: folder(), platform: "linux" });
  expect(facts.configFile).toEqual({ path: file, state: "loose" });
  symlinkSync(file, join(config, "opencode-beckon/linked.json"));
  const link = join(config, "opencode-beckon/linked.json");
  const place = { env: { ...env, BECKON_CONFIG: link }, home: folder(), platform: "linux" } as const;
  expect((await gatherFolders(place)).configFile).toEqual({ path: link, state: "good" });
});
