import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startDesktop } from "../rig/desktop/desktop.ts";
import { isolatedHome } from "../rig/host/isolated-home.ts";
import { readJournal } from "../rig/host/journal.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { writeProject } from "../rig/host/project.ts";
import { type RealHostOptions, startRealHost } from "../rig/host/real-host.ts";
import { runOnce } from "../rig/host/run-once.ts";
import { startServer } from "../rig/host/start-server.ts";
import { startModel } from "../rig/model/model-server.ts";
import { needs } from "../rig/needs.ts";
import { permissionAnswered } from "../scenarios/asking.ts";
import { inWords, playAndSettle } from "../scenarios/scenario.ts";
import { pureAnswer } from "../scenarios/working.ts";
import { inEnglish } from "./v1/english.ts";
import { reaches, seenUnder } from "./v1/shown.ts";

async function hostForTest(options: RealHostOptions) {
  const host = await startRealHost(options);
  onTestFinished(() => host.close());
  return host;
}

async function desktopForTest() {
  const desktop = await startDesktop();
  onTestFinished(() => desktop.close());
  return desktop;
}

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
)("with a real notification daemon", () => {
  test("a plugin listed in the global and in the project's configuration acts once", async () => {
    const desktop = await desktopForTest();
    const host = await hostForTest({
      globalPlugins: [packageRoot()],
      plugins: [pathToFileURL(join(packageRoot(), "dist/server/index.js")).href],
      env: { ...inEnglish, ...reaches(desktop) },
    });
    for (const scenario of [permissionAnswered, pureAnswer]) {
      const { lines, roots } = await playAndSettle(scenario, host);
      await desktop.settled();
      expect(lines.map(inWords)).toEqual(scenario.decisions);
      expect(seenUnder(desktop, roots.map(host.titleOf))).toHaveLength(scenario.shows.length);
    }
  });

  test("a second server over the same storage, which knows the session too, adds nothing", async () => {
    const desktop = await desktopForTest();
    const env = { ...inEnglish, ...reaches(desktop) };
    const host = await hostForTest({ plugins: [packageRoot()], env });
    const second = await startServer(host.home, env);
    onTestFinished(() => second.close());
    const its = await second.client.createSession("Its own session", []);
    await second.client.prompt(its.id, [{ type: "text", text: "[bash echo its own]" }]);
    await host.decided((line) => line.sessionID === its.id && line.outcome === "delivered"); // beckon runs there too
    for (const scenario of [permissionAnswered, pureAnswer]) {
      const { lines, roots } = await playAndSettle(scenario, host);
      for (const root of roots) expect(await second.client.session(root)).toMatchObject({ title: host.titleOf(root) });
      await desktop.settled();
      expect(lines.map(inWords)).toEqual(scenario.decisions);
      expect(seenUnder(desktop, roots.map(host.titleOf))).toHaveLength(scenario.shows.length);
    }
    expect(seenUnder(desktop, [its.title])).toHaveLength(1);
  });

  test("opencode run ends by itself, says nothing of ours, and what was due at its end is still shown", async () => {
    const [desktop, model, home] = [await desktopForTest(), await startModel(), isolatedHome()];
    onTestFinished(async () => {
      await model.close();
      home.remove();
    });
    writeProject(home, { modelURL: model.baseURL, plugins: [packageRoot()] });
    const run = await runOnce(home, "[bash echo hi]", { ...inEnglish, ...reaches(desktop) });
    expect(run).toMatchObject({ code: 0, signal: null, stdout: "Finished after the bash tool.\n" });
    expect(stripVTControlCharacters(run.stderr).split("\n").filter(Boolean)).toEqual([
      "> build · scripted",
      "$ echo hi",
      "hi",
    ]);
    await desktop.until("the banner", (banners) => banners[0]);
    expect(readJournal(home.beckonState).map(inWords)).toEqual(["done delivered unattended"]);
    expect(desktop.banners()).toHaveLength(1);
  });
});
