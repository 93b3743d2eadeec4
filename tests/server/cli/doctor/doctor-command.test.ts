import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { runProgram } from "../../../../src/server/delivery/run-program.ts";
import { withDesktop } from "../../../rig/desktop/with-desktop.ts";
import { needs } from "../../../rig/needs.ts";
import { createBench, repository } from "../command-bench.ts";

const findings = z.array(
  z.object({
    check: z.string(),
    level: z.string(),
    symptom: z.string(),
    cause: z.optional(z.string()),
    paste: z.optional(z.string()),
  }),
);
const report = z.object({ broken: z.number(), findings });

type Bench = ReturnType<typeof createBench>;

const doctor = async (bench: Bench, change: Parameters<Bench["run"]>[1] = {}) => {
  const { code, out, complaints } = await bench.run(["doctor", "--json"], change);
  expect(complaints).toBe("");
  const { broken, findings: found } = report.parse(JSON.parse(out));
  expect(code).toBe(broken > 0 ? 1 : 0);
  return found;
};

const benchWithHost = (environment: Record<string, string> = {}, version = "1.18.33") => {
  const bench = createBench(environment);
  bench.program("opencode", `echo ${version}`);
  return bench;
};

describe("beckon doctor", () => {
  test("finds a fresh installation in order, and says what it could not look at", async () => {
    using bench = benchWithHost();
    await bench.run(["install"], { packageRoot: repository });
    const found = await doctor(bench);
    expect(found.filter(({ check }) => check === "plugin" || check === "opencode" || check === "focus")).toEqual([
      { check: "opencode", level: "fine", symptom: "opencode 1.18.33 (ROOT/bin/opencode)" },
      expect.objectContaining({ check: "plugin", level: "fine" }),
      expect.objectContaining({ check: "focus", level: "fine" }),
    ]);
  });

  test("names a listed folder that is gone", async () => {
    using bench = benchWithHost();
    await bench.run(["install"], { packageRoot: "/gone/opencode-beckon" });
    expect(await doctor(bench)).toContainEqual(
      expect.objectContaining({ symptom: "beckon is listed and not there", paste: "beckon install" }),
    );
  });

  test("knows a single file of the package as beckon", async () => {
    using bench = benchWithHost();
    bench.write(".config/opencode/opencode.json", JSON.stringify({ plugin: [`${repository}/index.js`] }));
    expect(await doctor(bench)).toContainEqual(
      expect.objectContaining({ level: "fine", symptom: expect.stringMatching(/^listed in .* as .*\/index\.js$/) }),
    );
  });

  test("names a loose plugin file as a second copy", async () => {
    using bench = benchWithHost();
    await bench.run(["install"], { packageRoot: repository });
    bench.write(".config/opencode/plugins/beckon.js", 'export { default } from "/opt/opencode-beckon/index.js";\n');
    expect(await doctor(bench)).toContainEqual(
      expect.objectContaining({ level: "broken", symptom: "beckon is listed more than once" }),
    );
  });

  test("names the key and the line of a configuration that is not in force", async () => {
    using bench = benchWithHost();
    bench.write(".config/opencode-beckon/config.json", '{\n  "alerts": {\n    "don": {}\n  }\n}\n');
    const found = await doctor(bench);
    const cause = found.find(({ check }) => check === "config")?.cause;
    expect(cause).toContain("alerts.don (line 3, column 5)");
    expect(cause).toContain('did you mean "done"?');
  });

  test("names a state folder that is a file, a runtime folder that is not there, and an open relay file", async () => {
    using bench = benchWithHost({ XDG_RUNTIME_DIR: "/nowhere/at/all" });
    bench.write(".local/state/opencode-beckon", "");
    const runtime = join(bench.home, "runtime");
    mkdirSync(join(runtime, "relays"), { recursive: true });
    writeFileSync(join(runtime, "relays", "abcdefgh1234.json"), "{}", { mode: 0o644 });
    const found = await doctor(bench, {
      place: { env: { ...bench.env, BECKON_RUNTIME_DIR: runtime }, platform: "linux", home: bench.home },
    });
    const symptoms = found.map(({ symptom }) => symptom);
    expect(symptoms).toContain("XDG_RUNTIME_DIR does not lead to a folder of yours");
    expect(symptoms).toContain("decisions are not written down, and mute does not work");
    expect(symptoms).toContain("terminals refuse to connect to a running opencode");
  });

  test("in words is what a person can act on", async () => {
    using bench = benchWithHost({}, "1.17.2");
    const { out } = await bench.run(["doctor"]);
    expect(out).toContain(
      "✗ opencode 1.17.2 is too old for beckon\n" +
        "    why  beckon needs opencode 1.18 or newer; found ROOT/bin/opencode\n" +
        "    fix  update opencode, then start it again\n" +
        "           opencode upgrade\n",
    );
  });
});

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
)("the doctor on a real desktop", () => {
  test("says which daemon shows banners and what it can do", async () => {
    await withDesktop({}, async (desktop) => {
      using bench = createBench(desktop.env);
      const banner = (await doctor(bench)).find(({ check }) => check === "banner");
      expect(banner?.symptom).toMatch(/^dunst .* shows banners \(buttons, markup/);
      await desktop.run("dunstctl", "set-paused", "true");
      expect(await doctor(bench)).toContainEqual(
        expect.objectContaining({ symptom: "banners are held back: do-not-disturb is on" }),
      );
      await desktop.run("dunstctl", "set-paused", "false");
      desktop.daemon.signal("SIGSTOP");
      expect(await doctor(bench)).toContainEqual(
        expect.objectContaining({ symptom: "banners hang: the notification daemon does not answer" }),
      );
      desktop.daemon.signal("SIGCONT");
      await desktop.daemon.end();
      expect(await doctor(bench)).toContainEqual(
        expect.objectContaining({ symptom: "no banner can be shown: no notification daemon runs" }),
      );
    });
  });
});

needs("tmux")("the doctor inside tmux", () => {
  test("tells which options are off and, once they are on, that they are", async () => {
    using bench = createBench({ PATH: process.env.PATH ?? "" });
    const socket = join(bench.root, "tmux");
    const tmux = (...args: string[]) =>
      runProgram({
        program: "tmux",
        args: ["-S", socket, "-f", "/dev/null", ...args],
        env: bench.env,
        deadlineMs: 10_000,
      });
    const started = await tmux("new-session", "-d", "-s", "doctor", "sleep 600");
    expect(started.ok).toBe(true);
    try {
      const place = { env: { ...bench.env, TMUX: `${socket},1,0` }, platform: "linux", home: bench.home };
      await tmux("set-option", "-g", "focus-events", "off");
      const before = await doctor(bench, { place });
      expect(before.filter(({ check }) => check === "tmux").map(({ level }) => level)).toEqual(["broken", "advice"]);
      await tmux("set-option", "-g", "focus-events", "on");
      await tmux("set-option", "-g", "allow-passthrough", "on");
      const after = await doctor(bench, { place });
      expect(after.filter(({ check }) => check === "tmux").map(({ level }) => level)).toEqual(["fine"]);
    } finally {
      await tmux("kill-server");
    }
  });
});
