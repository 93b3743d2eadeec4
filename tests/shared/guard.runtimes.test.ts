import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runtimes } from "../package/runtimes.ts";
import { startChild } from "../rig/host/child.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-guard-"));
  await build({
    entryPoints: [fileURLToPath(new URL("./programs/bugs-everywhere.ts", import.meta.url))],
    outfile: join(folder, "bugs-everywhere.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(runtimes())("in $name a bug on any way into our code ends nothing and prints nothing", async (runtime) => {
  const { program, args, env } = runtime;
  const child = startChild(program, [...args, join(folder, "bugs-everywhere.mjs")], {
    cwd: folder,
    env: { PATH: `${process.env.PATH}`, ...env },
  });
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(child.stderr()).toBe("");
  const ways = ["async listener", "child", "immediate", "promise", "signal", "socket", "timer"];
  expect(child.stdout()).toBe(`${JSON.stringify(ways)}\nthe next deed has its turn\n`);
});
