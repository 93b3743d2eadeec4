import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseFile } from "../../../../src/server/cli/install/host-files.ts";
import { tempFolders } from "../../files/programs/temp-folder.ts";

const folder = tempFolders();
const ours = '{ "plugin": ["opencode-beckon"] }';
const others = '{ "plugin": ["other"] }';

test.each([
  ["the one we are in already", others, ours, "opencode.jsonc"],
  ["else the one that lists plugins", "{}", others, "opencode.jsonc"],
  ["else the first there is", "{}", "{}", "opencode.json"],
])("of two files is written to %s", async (_name, json, jsonc, chosen) => {
  const path = folder();
  writeFileSync(join(path, "opencode.json"), json);
  writeFileSync(join(path, "opencode.jsonc"), jsonc);
  expect(await chooseFile("server", [path])).toMatchObject({ ok: true, value: { path: join(path, chosen) } });
});

test("a new file goes into the best place where there is none", async () => {
  const [best, next] = [folder(), folder()];
  const made = { role: "terminal", path: join(best, "tui.json"), text: undefined };
  expect(await chooseFile("terminal", [best, next])).toEqual({ ok: true, value: made });
});
