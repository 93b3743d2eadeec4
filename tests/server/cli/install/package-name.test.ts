import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { namesIn } from "../../../../src/server/cli/install/package-name.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();

test("a folder, and a single file anywhere in it, is called what its package is called", async () => {
  const root = folder();
  mkdirSync(join(root, "fork/dist"), { recursive: true });
  writeFileSync(join(root, "fork/package.json"), '{ "name": "opencode-beckon" }');
  writeFileSync(join(root, "fork/dist/index.js"), "");
  for (const spec of ["./fork", "./fork/dist/index.js", pathToFileURL(join(root, "fork/dist/index.js")).href])
    expect((await namesIn(root, JSON.stringify({ plugin: [spec] })))(spec)).toBe("opencode-beckon");
  expect((await namesIn(root, '{ "plugin": ["./nowhere"] }'))("./nowhere")).toBeUndefined();
});
