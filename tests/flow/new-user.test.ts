import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { type Packed, pack } from "../package/packed.ts";
import { isolatedHome } from "../rig/host/isolated-home.ts";
import { writeProject } from "../rig/host/project.ts";
import { hostProgram, startServer } from "../rig/host/start-server.ts";
import { attachTui } from "../rig/host/start-tui.ts";
import { waitFor } from "../rig/host/wait-for.ts";
import { runIn } from "../server/cli/built-command.ts";
import { snapshotOf } from "../server/cli/command-bench.ts";

/** A machine on which somebody has just installed the package with npm, and opencode is on PATH. */
let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => packed?.remove());

const report = z.object({
  broken: z.number(),
  findings: z.array(z.object({ check: z.string(), level: z.string(), symptom: z.string() })),
});

function newUser() {
  const home = isolatedHome();
  onTestFinished(() => home.remove());
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(hostProgram(), join(bin, "opencode"));
  writeProject(home, { modelURL: "http://127.0.0.1:9" });
  const command = join(packed.project, "node_modules/opencode-beckon/dist/server/cli/main.js");
  const env = { ...home.env, PATH: `${bin}:${home.env.PATH}` };
  const beckon = (...args: string[]) => runIn(home.project, env, process.execPath, [command, ...args]);
  const opencode = (...args: string[]) => runIn(home.project, env, join(bin, "opencode"), args);
  const doctor = async () => report.parse(JSON.parse((await beckon("doctor", "--json")).stdout));
  const status = async () => (await beckon("status")).stdout;
  const symptoms = async () => (await doctor()).findings.map(({ symptom }) => symptom).join("\n");
  return { home, beckon, opencode, status, symptoms };
}

describe("somebody new", () => {
  test("installs, starts the real opencode, is told that all is well, and gets everything back as it was", async () => {
    const { home, beckon, status, symptoms } = newUser();
    const before = snapshotOf(home.globalConfig);
    expect(await symptoms()).toContain("opencode does not load beckon");

    expect(await beckon("install")).toMatchObject({ code: 0, stderr: "" });
    const server = await startServer(home);
    onTestFinished(() => server.close());
    await waitFor("the plugin to run", async () => ((await status()).includes("beckon 0.") ? true : undefined));
    await waitFor("the doctor to see it", async () =>
      /runs beckon \d+\.\d+\.\d+; terminals connected: 0/.test(await symptoms()) ? true : undefined,
    );

    const terminal = await attachTui(home, server.url);
    onTestFinished(() => terminal.end().then(() => undefined));
    let shown = "";
    const awaitStatus = (words: string) =>
      waitFor(
        () => `«${words}» in ${shown}`,
        async () => {
          shown = await status();
          return shown.includes(words) ? true : undefined;
        },
      );
    await awaitStatus("unknown, shows the start screen");
    terminal.focus();
    await awaitStatus("focused, shows the start screen");
    await waitFor("the doctor to see it", async () =>
      /^terminal .* reports its focus \(focused\)$/m.test(await symptoms()) ? true : undefined,
    );

    await terminal.end();
    await server.close();
    expect(await beckon("uninstall")).toMatchObject({ code: 0, stderr: "" });
    const { ".gitignore": _theHostsOwn, ...after } = snapshotOf(home.globalConfig);
    expect(after).toEqual(before);
  }, 300_000);

  test("who used opencode's own installer gets the same, and uninstall takes it out again", async () => {
    const { beckon, opencode, symptoms } = newUser();
    const installed = await opencode("plugin", join(packed.project, "node_modules/opencode-beckon"));
    expect(installed.stdout + installed.stderr).toContain("Detected server + tui targets");
    expect(await symptoms()).toMatch(/^listed in .*opencode\.json as /m);
    expect(await symptoms()).toMatch(/^terminal part listed in .*tui\.json$/m);
    await beckon("uninstall");
    expect(await symptoms()).toContain("opencode does not load beckon");
  });

  test("who lists it twice is told so by the doctor, while the real host still loads it once", async () => {
    const { home, beckon, opencode, status, symptoms } = newUser();
    await beckon("install");
    await opencode("plugin", join(packed.project, "node_modules/opencode-beckon"));
    expect(await symptoms()).toContain("beckon is listed more than once");
    const server = await startServer(home);
    onTestFinished(() => server.close());
    await waitFor("the plugin to run", async () => ((await status()).includes("beckon 0.") ? true : undefined));
    expect((await status()).match(/^opencode 1\.x, pid/gm)).toHaveLength(1);
  });
});
