import { join } from "node:path";
import { expect, test } from "vitest";
import { createProgram } from "./programs/run-program.ts";
import { tempFolders } from "./programs/temp-folder.ts";

const folder = tempFolders();

test("on every runtime a file that was planted is refused with its reason, and nobody waits", async () => {
  const program = await createProgram(new URL("programs/read-planted.ts", import.meta.url));
  const root = folder();
  const ends = await program.runAll((name) => [join(root, name)]);
  await program.remove();
  const [output] = ends.map((end) => end.output);
  expect(output?.trimEnd().split("\n")).toEqual([
    'text: "\uFEFFgrün\\n"',
    "latin1: is not UTF-8 text (line 2, byte 2); save it as UTF-8",
    "big: has 2 KiB, expected at most 1 KiB",
    "pipe: is not a regular file",
    "zero: is not a regular file",
    "random: is not a regular file",
    "tty: is not a regular file",
    'link: "\uFEFFgrün\\n"',
    "loop: links that lead in a circle",
    "folder: is a folder, not a file",
    "gone: does not exist",
    "link: is not a regular file",
    "told: pipe: is not a regular file",
    "told: zero: is not a regular file",
  ]);
  expect(new Set(ends.map((end) => end.output)).size).toBe(1);
}, 60_000);
