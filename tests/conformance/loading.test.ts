import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderWith, tellingPlugin, toldLines } from "./plugins.ts";
import { type ProcessOptions, startProcess } from "./server-process.ts";

/** Boots one location and gives its inventory. */
async function boot(options: ProcessOptions, directory = folderWith()) {
  const server = startProcess(options);
  onTestFinished(() => server.stop());
  const opened = await server.use({ directory });
  return { server, opened, states: opened.inventory().map(({ id, state }) => `${id} ${state.status}`) };
}

const config = (plugins: unknown[], key = "plugins") => ({ "opencode.json": { [key]: plugins } });
const wrongShape = "Plugin must export a default definition with an id and an effect or setup function.";

describe("a plugin comes from", () => {
  test("a package's ./server, before its .", async () => {
    const told = toldLines();
    const acme = folderWith({
      "package.json": { type: "module", exports: { ".": "./main.js", "./server": { import: "./s.js" } } },
      "main.js": tellingPlugin("main"),
      "s.js": tellingPlugin("server"),
    });
    await boot({ globalConfig: folderWith(config(["acme@1.2.0"])), packages: { acme } });
    expect(told[0]).toMatch(/^setup server /);
  });

  test("a package's . when it has no ./server", async () => {
    const acme = folderWith({
      "package.json": { type: "module", exports: { ".": "./main.js" } },
      "main.js": tellingPlugin("main"),
    });
    toldLines();
    const { states } = await boot({ globalConfig: folderWith(config(["acme"])), packages: { acme } });
    expect(states).toEqual(["main active"]);
  });

  test("a directory's server file, else its index file; its exports count for nothing", async () => {
    toldLines();
    const both = folderWith({ "server.js": tellingPlugin("server"), "index.js": tellingPlugin("index") });
    const index = folderWith({ "index.js": tellingPlugin("index") });
    const exportsOnly = folderWith({
      "package.json": { type: "module", exports: { "./server": "./s.js" } },
      "s.js": tellingPlugin("unreached"),
    });
    const { opened } = await boot({ globalConfig: folderWith(config([both, index, exportsOnly])) });
    expect(opened.inventory().map(({ id, state }) => [id, state.status])).toEqual([
      ["server", "active"],
      ["index", "active"],
      [undefined, "failed"],
    ]);
  });

  test("the plugins folder of .opencode: directories, loose files and links", async () => {
    toldLines();
    const linked = folderWith({ "index.js": tellingPlugin("linked") });
    const project = folderWith({
      ".opencode/plugins/acme/index.js": tellingPlugin("acme"),
      ".opencode/plugins/loose.js": tellingPlugin("loose"),
      ".opencode/plugins/readme.md": "not a plugin",
      ".opencode/plugin/old/server.js": tellingPlugin("old"),
    });
    symlinkSync(linked, join(project, ".opencode/plugins/zlink"));
    expect((await boot({}, project)).states).toEqual(["old active", "acme active", "loose active", "linked active"]);
  });

  test("the legacy key, with its tuple form", async () => {
    const told = toldLines();
    const acme = folderWith({ "index.js": tellingPlugin("acme") });
    await boot({ globalConfig: folderWith(config([[acme, { loud: true }]], "plugin")) });
    expect(told[0]).toMatch(/ 1 {"loud":true}$/);
  });
});

describe("a config entry", () => {
  test("gives its options, and is relative to its file", async () => {
    const told = toldLines();
    const project = folderWith({
      "opencode.jsonc": `{ /* mine */ "plugins": [{ "package": "./acme", "options": { "sound": false } },] }`,
      "acme/index.js": tellingPlugin("acme"),
    });
    await boot({}, project);
    expect(told[0]).toMatch(/ {"sound":false}$/);
  });

  test("that is a file is skipped with a warning", async () => {
    const folder = folderWith({ "index.js": tellingPlugin("acme") });
    const { server, states } = await boot({ globalConfig: folderWith(config([join(folder, "index.js")])) });
    expect(states).toEqual([]);
    expect(server.warnings[0]).toMatch(/^configured plugin path must be a directory/);
  });

  test("turns ids known so far off and on", async () => {
    toldLines();
    const [a, b] = [
      folderWith({ "index.js": tellingPlugin("team.a") }),
      folderWith({ "index.js": tellingPlugin("b") }),
    ];
    const { states } = await boot({ globalConfig: folderWith(config([a, "-team.*", b, "-later"])) });
    expect(states).toEqual(["team.a disabled", "b active"]);
  });

  test("with an id that is taken is reported failed; the first stays", async () => {
    toldLines();
    const [a, b] = [folderWith({ "index.js": tellingPlugin("a") }), folderWith({ "index.js": tellingPlugin("a") })];
    const { opened } = await boot({ globalConfig: folderWith(config([a, b])) });
    expect(opened.inventory().map(({ state }) => state)).toEqual([
      { status: "active" },
      { status: "failed", error: "Duplicate plugin ID: a" },
    ]);
  });
});

describe("the loader refuses", () => {
  test.each([
    ["a function as default", "export default function () {}"],
    ["a function with id and setup on it", "export default Object.assign(() => {}, { id: 'x', setup() {} })"],
    ["an object for 1.x only", "export default { id: 'x', server() {} }"],
    ["named exports only", "export const id = 'x'; export function setup() {}"],
    ["an id that is no text", "export default { id: 7, setup() {} }"],
  ])("%s", async (_, source) => {
    const acme = folderWith({ "index.js": source });
    const { opened } = await boot({ globalConfig: folderWith(config([acme])) });
    expect(opened.inventory()[0]?.state).toEqual({ status: "failed", error: wrongShape });
  });

  test("nothing for extra keys: 1.x's server beside setup, and named exports", async () => {
    const source = "export const server = 1; export default { id: 'both', server() {}, setup() {}, tui: 3 }";
    const acme = folderWith({ "index.js": source });
    expect((await boot({ globalConfig: folderWith(config([acme])) })).states).toEqual(["both active"]);
  });
});

test("the inventory tells which plugins have a terminal part", async () => {
  toldLines();
  const local = folderWith({ "index.js": tellingPlugin("local"), "tui.js": "" });
  const acme = folderWith({
    "package.json": { type: "module", exports: { "./server": "./s.js", "./tui": "./t.js" } },
    "s.js": tellingPlugin("acme"),
    "t.js": "",
  });
  const plain = folderWith({ "index.js": tellingPlugin("plain") });
  const { opened } = await boot({ globalConfig: folderWith(config([local, "acme", plain])), packages: { acme } });
  expect(opened.inventory().map(({ features }) => features.tui)).toEqual([true, true, false]);
});
