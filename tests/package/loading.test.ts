import { readFileSync, statSync, writeFileSync } from "node:fs";
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

  test("neither does the first call read the bus or the command line", async () => {
    const read = await filesReadBy("dist/server/index.js", "server");
    expect(read.filter((file) => file.includes("node_modules/dbus-native"))).toEqual([]);
    const texts = read.filter(isOurs).map((file) => readFileSync(join(packed.installed, file), "utf8"));
    expect(texts.join("\n")).not.toMatch(/node_modules\/commander|server\/cli\/|delivery\/open-bus/); // esbuild names each source
  });

  test("the first call reads no more than it needs: all of it together stays below 400 KiB", async () => {
    const read = await filesReadBy("dist/server/index.js", "server");
    const bytes = read.filter(isOurs).reduce((sum, file) => sum + statSync(join(packed.installed, file)).size, 0);
    expect(bytes).toBeGreaterThan(50 * 1024);
    expect(bytes).toBeLessThan(400 * 1024);
  });
});

const isOurs = (file: string) => !file.includes(":");
const home = () => ({ HOME: packed.project, XDG_STATE_HOME: packed.project, XDG_RUNTIME_DIR: packed.project });

/** Everything the loader was asked for, in the package's own paths where it lies inside. */
async function filesReadBy(door: string, call?: "server"): Promise<string[]> {
  const hook = join(packed.project, "hook.mjs");
  const list = join(packed.project, `read-${door.replaceAll("/", "-")}-${call ?? "import"}.txt`);
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
    const module = await import(${JSON.stringify(pathToFileURL(join(packed.installed, door)).href)});
    const input = { client: { session: { get: async () => ({}), messages: async () => ({}) } }, directory: "/project" };
    ${call === undefined ? "" : `await module.default.${call}(input);`}
    process.exit(0);`,
  );
  await runScript({ name: "Node", program: process.execPath, args: [], env: home() }, script, packed.project);
  const base = `${pathToFileURL(packed.installed).href}/`;
  const urls = readFileSync(list, "utf8").trim().split("\n");
  return [...new Set(urls.map((url) => (url.startsWith(base) ? url.slice(base.length) : url)))];
}
