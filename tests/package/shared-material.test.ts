import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shared = join(root, "../shared");

/** What we add beside the copies: the decisions we expect of a recorded round. */
const isOurs = (file: string) => file.startsWith("fixtures/") && file.endsWith(".expect.json");

describe("the copies of ../shared", () => {
  test("are there, so that a clone stands alone", () => {
    expect(filesBelow(join(root, "tests"), "traces")).toContain("traces/check.mjs");
    expect(filesBelow(join(root, "tests"), "fixtures")).toContain("fixtures/opencode-1.18/plain.jsonl");
  });

  test.each(["traces", "fixtures"])("%s is what ../shared holds, where there is a ../shared", (folder) => {
    if (!existsSync(join(shared, folder))) return;
    const originals = filesBelow(shared, folder);
    const copies = filesBelow(join(root, "tests"), folder).filter((file) => !isOurs(file));
    expect(copies).toEqual(originals);
    const differing = originals.filter(
      (file) => !readFileSync(join(shared, file)).equals(readFileSync(join(root, "tests", file))),
    );
    expect(differing).toEqual([]);
  });
});

function filesBelow(base: string, folder: string): string[] {
  return readdirSync(join(base, folder), { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile())
    .map((item) => relative(base, join(item.parentPath, item.name)))
    .sort();
}
