import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Packed, pack } from "./packed.ts";
import { runScript } from "./runtimes.ts";

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => packed?.remove());

describe("importing a door", () => {
  test.each([
    ["server", "dist/server/index.js", "dist/chunks/server/"],
    ["terminal", "dist/tui/index.js", "dist/chunks/tui/"],
  ])("the %s part reads only its own files", async (_name, door, chunks) => {
    const read = await filesReadBy(door);
    expect(read).toContain(door);
    expect(read.filter((file) => file !== door && !file.startsWith(chunks) && !file.startsWith("node:"))).toEqual([]);
  });

  test("the server part reads neither sockets, nor the bus, nor the command line", async () => {
    const read = await filesReadBy("dist/server/index.js");
    const text = read
      .filter((file) => !file.startsWith("node:"))
      .map((file) => readFileSync(join(installed(), file), "utf8"));
    // their own words, which no minifier has touched
    expect(text.join("\n")).not.toMatch(/class Command |handleUpgrade|org\.freedesktop\.DBus"/);
    expect(read).not.toContain("node:http");
    expect(read).not.toContain("node:net");
  });
});

const installed = () => join(packed.project, "node_modules/opencode-beckon");

/** Everything the loader was asked for, in the package's own paths where it lies inside. */
async function filesReadBy(door: string): Promise<string[]> {
  const hook = join(packed.project, "hook.mjs");
  const list = join(packed.project, `read-${door.replaceAll("/", "-")}.txt`);
  writeFileSync(
    hook,
    `import { appendFileSync } from "node:fs";
    export async function load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + "\\n");
      return next(url, context);
    }`,
  );
  const script = join(packed.project, "load.mjs");
  writeFileSync(
    script,
    `import { register } from "node:module";
    register(${JSON.stringify(pathToFileURL(hook).href)});
    await import(${JSON.stringify(pathToFileURL(join(installed(), door)).href)});`,
  );
  await runScript({ name: "Node", program: process.execPath, args: [], env: {} }, script, packed.project);
  const base = `${pathToFileURL(installed()).href}/`;
  const urls = readFileSync(list, "utf8").trim().split("\n");
  return [...new Set(urls.map((url) => (url.startsWith(base) ? url.slice(base.length) : url)))];
}
