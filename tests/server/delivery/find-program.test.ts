import { chmodSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../../src/server/delivery/find-program.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();

test("a program is never looked for from the current folder, whatever PATH says", () => {
  const path = folder();
  const program = join(path, "plain");
  writeFileSync(program, "");
  chmodSync(program, 0o755);
  const fromHere = relative(process.cwd(), path);
  for (const PATH of [fromHere, `${fromHere}:.`]) expect(findProgram("plain", { PATH })).toBeUndefined();
  for (const PATH of ["", ".", ":"]) expect(findProgram(join(fromHere, "plain"), { PATH })).toBeUndefined();
});

test("the first one that can be run is found", () => {
  const path = folder();
  const plain = join(path, "plain");
  writeFileSync(plain, "");
  expect(findProgram("plain", { PATH: path })).toBeUndefined();
  chmodSync(plain, 0o755);
  expect(findProgram("plain", { PATH: `relative:${path}` })).toBe(plain);
  expect(findProgram(plain, {})).toBe(plain);
  expect(findProgram(path, {})).toBeUndefined();
});
