import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startAcceptingDesktop } from "../conformance/accepting-desktop.ts";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { nativeImport } from "../conformance/native-import.ts";
import { readServerModule } from "../conformance/plugin-module.ts";
import { alphaContext, embeddedContext, terminalSideContext } from "../conformance/reduced-contexts.ts";
import { attachTui } from "../conformance/tui-process.ts";
import { type Packed, pack } from "../package/packed.ts";
import type { IsolatedHome } from "../rig/host/isolated-home.ts";
import type { PluginEntry } from "../rig/host/project.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { needs } from "../rig/needs.ts";
import type { HostUnderTest } from "../scenarios/host-under-test.ts";
import { inWords, linesOf } from "../scenarios/scenario.ts";
import { realWork } from "../scenarios/working.ts";
import { inEnglish } from "./v1/english.ts";

const wrongShape = "Plugin must export a default definition with an id and an effect or setup function.";

/** How a person may hand the directory of the package to a 2.x host (docs/hosts.md). */
type Way = {
  title: string;
  /** Entries of the global `opencode.json`, given what was built. */
  plugins?: (packed: Packed) => unknown[];
  key?: "plugin";
  /** Puts files where the host finds them by itself. */
  place?: (packed: Packed, home: IsolatedHome) => void;
  installed?: boolean;
  options?: Record<string, unknown>;
  /** False: loaded by way of a loose file, so nothing tells the host of the terminal part. */
  terminal?: false;
};

const installedAt = ({ project }: Packed) => join(project, "node_modules/opencode-beckon");
const pluginsOf = (folder: string) => {
  mkdirSync(join(folder, "plugins"), { recursive: true });
  return join(folder, "plugins/beckon");
};

/** A file that only opens the package's door. */
function oneLine(folder: string, directory: string) {
  const door = pathToFileURL(join(directory, "index.js")).href;
  writeFileSync(`${pluginsOf(folder)}.js`, `export { default } from ${JSON.stringify(door)};\n`);
}

/** Entries as 1.18's rig wants them: a text, or a text with options. */
function asEntry(entry: unknown): PluginEntry {
  if (typeof entry === "string") return entry;
  const [target, options]: unknown[] = Array.isArray(entry) ? entry : [];
  if (typeof target !== "string") throw new Error("no such entry");
  return [target, { ...Object(options) }];
}

const ways: Way[] = [
  { title: "by its name", plugins: () => ["opencode-beckon"], installed: true },
  { title: "by its name and version", plugins: () => ["opencode-beckon@0.1.0"], installed: true },
  { title: "by its name with options", plugins: () => [{ package: "opencode-beckon", options: {} }], installed: true },
  { title: "by its directory, installed", plugins: (packed) => [installedAt(packed)] },
  { title: "by its directory, copied without node_modules", plugins: ({ copy }) => [copy] },
  { title: "by the file URL of its directory", plugins: ({ copy }) => [pathToFileURL(copy).href] },
  { title: "by its directory with options", plugins: ({ copy }) => [{ package: copy, options: { sound: false } }] },
  { title: "by the key 1.x uses", plugins: ({ copy }) => [copy], key: "plugin" },
  { title: "by the tuple 1.x uses", plugins: ({ copy }) => [[copy, {}]], key: "plugin" },
  {
    title: "by a directory relative to the config file",
    plugins: () => ["./here/beckon"],
    place: ({ copy }, { globalConfig }) => cpSync(copy, join(globalConfig, "here/beckon"), { recursive: true }),
  },
  {
    title: "from .opencode/plugins",
    place: ({ copy }, { project }) => cpSync(copy, pluginsOf(join(project, ".opencode")), { recursive: true }),
  },
  {
    title: "from a link in .opencode/plugins",
    place: (packed, { project }) => symlinkSync(installedAt(packed), pluginsOf(join(project, ".opencode"))),
  },
  {
    title: "from the global plugins folder",
    place: ({ copy }, { globalConfig }) => cpSync(copy, pluginsOf(globalConfig), { recursive: true }),
  },
  {
    title: "by a file of one line in .opencode/plugins",
    place: (packed, { project }) => oneLine(join(project, ".opencode"), installedAt(packed)),
    terminal: false,
  },
  {
    title: "by a file of one line in the global plugins folder",
    place: (packed, { globalConfig }) => oneLine(globalConfig, installedAt(packed)),
    terminal: false,
  },
];

/**
 * Plays a round with work, and gives every decision about it once there is one. Whether a busy machine shows the banner
 * in time is not what a door is about.
 */
async function worked(host: HostUnderTest) {
  const story = await realWork.play(host);
  await host.decided((line) => story.roots.includes(line.sessionID) && line.alert === "done");
  await host.settled();
  return linesOf(await host.decisions(), story)
    .map(inWords)
    .map((words) => (words === "done failed channel-error" ? "done delivered unattended" : words));
}

needs("dbus-daemon", "notify-send")("one package directory, built once", () => {
  let packed: Packed;
  let desktop: Awaited<ReturnType<typeof startAcceptingDesktop>>;
  let host: ConformanceHost | undefined;

  beforeAll(async () => {
    packed = await pack();
    desktop = await startAcceptingDesktop();
  });
  afterEach(async () => {
    await host?.close();
    host = undefined;
  });
  afterAll(async () => {
    await desktop?.close();
    packed?.remove();
  });

  const start = async ({ plugins, key, place, installed }: Way) => {
    host = await startConformanceHost({
      plugins: plugins?.(packed) ?? [],
      ...(key === undefined ? {} : { key }),
      prepare: (home) => place?.(packed, home),
      env: { ...inEnglish, ...desktop.env },
      process: { packages: installed === true ? { "opencode-beckon": installedAt(packed) } : {} },
    });
    return host;
  };
  const inventory = async ({ server, home }: ConformanceHost) =>
    (await server.use({ directory: home.project })).inventory();

  describe("on 2.x is loaded", () => {
    test.each(ways)("$title, and calls", async (way) => {
      const started = await start(way);
      expect(await inventory(started)).toMatchObject([
        { id: "beckon", state: { status: "active" }, features: { tui: way.terminal ?? true } },
      ]);
      expect(await worked(started)).toEqual(realWork.decisions);
      await started.close();
      host = undefined;
      expect(started.server.warnings).toEqual([]);
      expect(started.server.streams.count()).toBe(0);
    });

    test.each(ways.filter(({ terminal }) => terminal !== false))("$title, with its terminal part", async (way) => {
      const { server, home } = await start(way);
      const packages = way.installed === true ? { "opencode-beckon": installedAt(packed) } : {};
      const tui = await attachTui({ server, location: { directory: home.project }, packages });
      expect({ running: tui.running, failures: tui.failures }).toEqual({ running: ["beckon.tui"], failures: [] });
      await tui.exit();
      expect({ toasts: tui.toasts, left: tui.leftListeners() }).toEqual({ toasts: [], left: 0 });
    });

    test("twice, by its directory and from .opencode/plugins, and calls once; the second is reported", async () => {
      const started = await start({
        title: "twice",
        plugins: ({ copy }) => [copy],
        place: ({ copy }, { project }) => cpSync(copy, pluginsOf(join(project, ".opencode")), { recursive: true }),
      });
      expect((await inventory(started)).map(({ state }) => state)).toEqual([
        { status: "active" },
        { status: "failed", error: "Duplicate plugin ID: beckon" },
      ]);
      expect(await worked(started)).toEqual(realWork.decisions);
    });
  });

  describe("on 2.x is refused", () => {
    test("as a configured file, which is skipped with the host's warning", async () => {
      const started = await start({ title: "file", plugins: ({ copy }) => [join(copy, "index.js")] });
      expect(await inventory(started)).toEqual([]);
      expect(started.server.warnings).toEqual([
        `configured plugin path must be a directory: ${join(packed.copy, "index.js")}`,
      ]);
    });

    test("when its terminal part is handed out without an id, with the loader's own words", async () => {
      const started = await start({ title: "server", plugins: ({ copy }) => [copy] });
      const wrong = join(started.home.root, "wrong");
      mkdirSync(wrong);
      writeFileSync(join(wrong, "tui.js"), "export default { tui() {} };");
      writeFileSync(join(started.home.globalConfig, "cli.json"), JSON.stringify({ plugins: [wrong] }));
      const { server, home } = started;
      const tui = await attachTui({ server, location: { directory: home.project }, globalConfig: home.globalConfig });
      expect(tui.failures).toEqual([`Invalid V2 TUI plugin module: ${wrong}`]);
      await tui.exit();
    });

    test("when a door of it has 1.x's shape only", async () => {
      const module = await nativeImport(join(packed.copy, "index.js"));
      const { setup: _, ...only1x } = Object(module.default);
      expect(() => readServerModule({ default: only1x })).toThrow(wrongShape);
      expect(() => readServerModule(module)).not.toThrow();
    });
  });

  test.each([
    ["the pass inside a 1.x host", embeddedContext()],
    ["a terminal's side", terminalSideContext()],
    ["nothing at all", undefined],
  ])("a context without events is left quietly: %s", async (_, context) => {
    const module = await nativeImport(join(packed.copy, "index.js"));
    const { setup } = Object(module.default);
    await expect(setup(context)).resolves.toBeUndefined();
  });

  test("the alpha's context, without location, storage and permissions, is enough", async () => {
    const started = await start({ title: "none" });
    const streams = started.server.streams;
    const context = alphaContext(
      () => streams.subscribe(context),
      async () => Promise.reject(new Error("unknown")),
    );
    const { setup } = Object((await nativeImport(join(packed.copy, "index.js"))).default);
    const cleanup = await setup(context);
    expect(streams.count()).toBe(1);
    await cleanup();
  });

  describe("on the real 1.18 is loaded, the very same", () => {
    let real: RealHost | undefined;
    afterEach(async () => {
      await real?.close();
      real = undefined;
    });
    /** 1.18 uses what it finds in its cache, and asks no registry then (contracts/opencode-v1.md section 2). */
    const asInstalled = ({ project }: Packed, { env }: IsolatedHome) => {
      const cache = join(env.XDG_CACHE_HOME ?? "", "opencode/packages/opencode-beckon@0.1.0");
      mkdirSync(cache, { recursive: true });
      symlinkSync(join(project, "node_modules"), join(cache, "node_modules"));
    };
    const ways1: Pick<Way, "title" | "plugins" | "place">[] = [
      { title: "by its name and version", plugins: () => ["opencode-beckon@0.1.0"], place: asInstalled },
      { title: "by its directory", plugins: ({ copy }) => [copy] },
      { title: "by its directory with options", plugins: ({ copy }) => [[copy, {}]] },
      { title: "by the file URL of its directory", plugins: ({ copy }) => [pathToFileURL(copy).href] },
      { title: "by its server file", plugins: ({ copy }) => [pathToFileURL(join(copy, "dist/server/index.js")).href] },
      {
        title: "by a directory relative to the config file",
        plugins: () => ["./here/beckon"],
        place: ({ copy }, { project }) => cpSync(copy, join(project, "here/beckon"), { recursive: true }),
      },
      {
        title: "by a file of one line in .opencode/plugins",
        place: ({ copy }, { project }) => oneLine(join(project, ".opencode"), copy),
      },
      {
        title: "by a file of one line in the global plugins folder",
        place: ({ copy }, { globalConfig }) => oneLine(globalConfig, copy),
      },
    ];
    const startReal = async ({ plugins, place }: Pick<Way, "plugins" | "place">) => {
      real = await startRealHost({
        plugins: (plugins?.(packed) ?? []).map(asEntry),
        prepare: (home) => place?.(packed, home),
        env: { ...inEnglish, ...desktop.env },
      });
      return real;
    };

    test.each(ways1)("$title, and calls", async (way) => {
      expect(await worked(await startReal(way))).toEqual(realWork.decisions);
    });

    test("not from a directory in .opencode/plugins: there it looks for single files only", async () => {
      const host118 = await startReal({
        place: ({ copy }, { project }) => cpSync(copy, pluginsOf(join(project, ".opencode")), { recursive: true }),
      });
      const story = await realWork.play(host118);
      expect(linesOf(await host118.decisions(), story)).toEqual([]);
      expect(existsSync(host118.home.beckonState)).toBe(false);
    });
  });
});
