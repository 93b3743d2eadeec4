import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRelays } from "../../../../src/server/cli/relays/find-relays.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();
const id = "abcdefgh1234";
const descriptor = {
  url: "ws://127.0.0.1:1/focus",
  token: "t",
  pid: process.pid,
  startedAt: Date.now() - 1_000,
  line: "v1",
  directories: [],
  protocol: 1,
};
function announce(path: string, text = JSON.stringify(descriptor)): string {
  const file = join(path, `${id}.json`);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

test("a copy that can be used wins over one that cannot, in whatever order the folders come", async () => {
  const [broken, good] = [folder(), folder()];
  announce(broken, "{");
  const path = announce(good);
  for (const folders of [
    [broken, good],
    [good, broken],
  ])
    expect(await findRelays(folders)).toEqual([{ id, path, descriptor }]);
  expect(await findRelays([broken])).toMatchObject([{ id, problem: "unreadable" }]);
});

test("a file that is not ours alone is named for what it is", async () => {
  const path = folder();
  const file = announce(path);
  chmodSync(file, 0o640);
  expect(await findRelays([path])).toMatchObject([{ problem: "loose" }]);
  if (process.getuid?.() !== 0) return; // only root can give a file away
  chmodSync(file, 0o600);
  chownSync(file, 1, 1);
  expect(await findRelays([path])).toMatchObject([{ problem: "foreign" }]);
});
