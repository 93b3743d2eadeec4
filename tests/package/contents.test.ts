import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Packed, pack, root } from "./packed.ts";

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => packed?.remove());

const single = [
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "config.schema.json",
  "dist/third-party-licenses.txt",
  "index.js",
  "package.json",
  "tui.js",
];

describe("the packed package", () => {
  test("holds the built files, the doors and the papers, and nothing else", () => {
    const strange = packed.files.filter((file) => !single.includes(file) && !/^dist\/[\w./-]+\.(js|d\.ts)$/.test(file));
    expect(strange).toEqual([]);
    expect(packed.files).toEqual(expect.arrayContaining(single.filter((file) => file !== "CHANGELOG.md")));
    expect(packed.files).toEqual(
      expect.arrayContaining([
        "dist/server/index.js",
        "dist/server/index.d.ts",
        "dist/tui/index.js",
        "dist/tui/index.d.ts",
        "dist/server/cli/main.js",
      ]),
    );
  });

  test("has declarations that need nothing its users do not have", () => {
    const declarations = packed.files.filter((file) => file.endsWith(".d.ts"));
    const foreign = declarations.flatMap((file) =>
      [...readFileSync(join(packed.copy, file), "utf8").matchAll(/(?:from|import\()\s*"([^."][^"]*)"/g)]
        .map(([, name]) => name ?? "")
        .filter((name) => !name.startsWith("node:"))
        .map((name) => `${file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  test("carries a command that starts by itself", () => {
    const command = join(packed.copy, "dist/server/cli/main.js");
    expect(readFileSync(command, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(command).mode & 0o111).toBe(0o111);
    expect(execFileSync(command, ["--help"], { encoding: "utf8" })).toContain("beckon");
  });

  test("is npx beckon in a clone, as the README says", () => {
    const told = execFileSync("npx", ["--no-install", "beckon", "--version"], { cwd: root, encoding: "utf8" });
    expect(told).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    ["publint", ["node_modules/publint/src/cli.js", "--strict"]],
    ["are the types wrong", ["node_modules/@arethetypeswrong/cli/dist/index.js", "--profile", "esm-only"]],
  ])("pleases %s", (_name, [program = "", ...options]) => {
    const run = () =>
      execFileSync(process.execPath, [join(root, program), packed.tarball, ...options], { stdio: "pipe" });
    expect(run).not.toThrow();
  });
});
