import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startAcceptingDesktop } from "../conformance/accepting-desktop.ts";
import { type ConformanceHost, startConformanceHost } from "../conformance/conformance-host.ts";
import { nativeImport } from "../conformance/native-import.ts";
import { readServerModule } from "../conformance/plugin-module.ts";
import { alphaContext, embeddedContext, terminalSideContext } from "../conformance/reduced-contexts.ts";
import { attachTui } from "../conformance/tui-process.ts";
import { type Packed, pack } from "../package/packed.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { needs } from "../rig/needs.ts";
import type { HostUnderTest } from "../scenarios/host-under-test.ts";
import { inWords, linesOf } from "../scenarios/scenario.ts";
import { realWork } from "../scenarios/working.ts";
import { inEnglish } from "./v1/english.ts";
import { asEntry, installedAt, pluginsOf, type Way, ways, waysOf118 } from "./v2/ways.ts";

const wrongShape = "Plugin must export a default definition with an id and an effect or setup function.";

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
    const startReal = async ({ plugins, place }: Pick<Way, "plugins" | "place">) => {
      real = await startRealHost({
        plugins: (plugins?.(packed) ?? []).map(asEntry),
        prepare: (home) => place?.(packed, home),
        env: { ...inEnglish, ...desktop.env },
      });
      return real;
    };

    test.each(waysOf118)("$title, and calls", async (way) => {
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
