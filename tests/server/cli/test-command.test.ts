import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import { configuredChannels } from "../../../src/server/cli/test/test-command.ts";
import { defaultConfig } from "../../../src/server/config/schema.ts";
import type { Observer } from "../../../src/server/focus/observer-peer.ts";
import { withDesktop } from "../../rig/desktop/with-desktop.ts";
import { needs } from "../../rig/needs.ts";
import { createBench } from "./command-bench.ts";
import { startRelay } from "./relay-rig.ts";

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
)("beckon test on a real desktop", () => {
  test("really shows what a finished round would look like, and does not claim that anybody saw it", async () => {
    await withDesktop({}, async (desktop) => {
      using bench = createBench(desktop.env);
      const { code, out, complaints } = await bench.run(["test"]);
      expect(complaints).toBe("");
      expect(out).toBe(
        "«beckon test: Work finished · 3 min 12 s»\n" +
          "  banner    accepted by dbus\n" +
          "Accepted is not seen: whether it was shown, only you can tell. If not: beckon doctor\n",
      );
      expect(code).toBe(0);
      expect(desktop.banners()).toMatchObject([{ title: "beckon test", body: "Work finished · 3 min 12 s" }]);
    });
  });

  test("says that do-not-disturb holds it", async () => {
    await withDesktop({ paused: true }, async (desktop) => {
      using bench = createBench({ ...desktop.env, LANG: "de_DE.UTF-8" });
      const { out } = await bench.run(["test", "error"]);
      expect(out).toContain("«beckon test: Mit einem Fehler angehalten · APIError»");
      expect(out).toContain("Do-not-disturb is on: the daemon keeps the banner until you end it.");
    });
  });

  test("without a daemon names what was tried and ends with 1", async () => {
    await withDesktop({ daemon: "none" }, async (desktop) => {
      using bench = createBench({ ...desktop.env, PATH: "/nowhere" });
      expect(await bench.run(["test"])).toEqual({
        code: 1,
        out: "«beckon test: Work finished · 3 min 12 s»\n  banner    not available by dbus: nobody shows notifications on this bus\n",
        complaints: "",
      });
    });
  });
});

describe("beckon test", () => {
  test("goes by the configuration", () => {
    const { alerts } = defaultConfig;
    expect(configuredChannels(defaultConfig, "done")).toEqual(["banner"]);
    const loud = {
      ...defaultConfig,
      alerts: { ...alerts, sound: true, done: { ...alerts.done, mode: "both" as const } },
    };
    expect(configuredChannels(loud, "done")).toEqual(["banner", "voice", "sound"]);
    const voice = {
      ...defaultConfig,
      alerts: { ...alerts, sound: true, error: { ...alerts.error, mode: "voice" as const } },
    };
    expect(configuredChannels(voice, "error")).toEqual(["voice"]);
  });

  test("says so when that kind is switched off", async () => {
    using bench = createBench();
    await bench.run(["config", "set", "alerts.done.mode", "none"]);
    const { code, complaints } = await bench.run(["test", "done"]);
    expect(code).toBe(1);
    expect(complaints).toContain('alerts.done.mode is "none"');
  });

  test("says that the configuration is not in force, and why", async () => {
    using bench = createBench({ PATH: "/nowhere" });
    bench.write(".config/opencode-beckon/config.json", '{ "alerts": { "sond": true } }');
    const { out, complaints } = await bench.run(["test"]);
    expect(out).toContain("banner");
    expect(complaints).toMatch(/config\.json is not in force, the defaults are: .*alerts\.sond/);
  });

  test("a channel that this machine has not got is a finding, named with its reason", async () => {
    using bench = createBench({ PATH: "/nowhere" });
    const { code, out } = await bench.run(["test", "--channel", "voice"]);
    expect(code).toBe(1);
    expect(out).toMatch(/voice {5}not available by \S+: \S+ is not installed/);
  });

  test("writes to the terminal it runs in what the terminal part would write there", async () => {
    using bench = createBench({ TERM: "xterm-kitty", TERM_PROGRAM: "kitty" });
    let printed = "";
    const out = {
      write: (text: string) => {
        printed += text;
      },
      complain: () => {},
      colour: false,
      columns: 80,
    };
    expect((await bench.run(["test", "--channel", "terminal"], { out })).code).toBe(0);
    expect(printed).toContain("\u001b]99;");
    expect(printed).toContain("terminal  written to the terminal by osc99");
  });

  test("says that there is no terminal, and no address to push to", async () => {
    using bench = createBench();
    const { code, out } = await bench.run(["test", "--channel", "terminal", "push"]);
    expect(code).toBe(1);
    expect(out).toContain("terminal  not available: this command does not run in a terminal");
    expect(out).toContain("push      not available: alerts.push names no address");
  });

  test("pushes to the configured addresses, and never prints them", async () => {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      request.on("data", (text) => heard.push(String(text)));
      request.on("end", () => response.end("ok"));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      server.close();
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    using bench = createBench();
    const push = [{ type: "webhook", url: `http://127.0.0.1:${port}/secret-path` }];
    bench.write(".config/opencode-beckon/config.json", JSON.stringify({ alerts: { push } }));
    const { code, out } = await bench.run(["test", "pause", "--channel", "push"]);
    expect(code).toBe(0);
    expect(out).toContain(
      "push      accepted by webhook; sent by this command: no opencode runs with this configuration",
    );
    expect(out).not.toContain("secret-path");
    expect(JSON.parse(heard.join(""))).toMatchObject({ kind: "pause", title: "beckon test" });
  });
});

describe("beckon test of push, where an opencode runs,", () => {
  const accepted = { ok: true, outlet: "ntfy", certainty: "accepted" };
  const refused = { ok: false, outlet: "webhook", reason: "refused", detail: "HTTP 403 \u001b[31m" };

  /** A bench whose own pushes go nowhere, and a relay of an opencode that goes by the same configuration. */
  async function arrange(observer: Partial<Observer>) {
    const bench = createBench();
    const config = { alerts: { push: [{ type: "ntfy", url: "http://127.0.0.1:1", topic: "t" }] } };
    const configPath = bench.write(".config/opencode-beckon/config.json", JSON.stringify(config));
    const stateDir = join(bench.home, ".local/state/opencode-beckon");
    const relay = await startRelay(stateDir, { status: () => ({ configPath }), ...observer });
    onTestFinished(async () => {
      await relay[Symbol.asyncDispose]();
      bench[Symbol.dispose]();
    });
    return () => bench.run(["test", "error", "--channel", "push"]);
  }

  test("lets that one send it, and says so", async () => {
    const asked: string[] = [];
    const run = await arrange({
      async testPush(kind) {
        asked.push(kind);
        return JSON.stringify([accepted, refused]);
      },
    });
    const { code, out } = await run();
    const by = `sent by opencode \\(pid ${process.pid}\\)`;
    expect(out).toMatch(new RegExp(`push {6}accepted by ntfy; ${by}\n {2}push {6}refused by webhook: HTTP 403; ${by}`));
    expect(code).toBe(0);
    expect(asked).toEqual(["error"]);
  });

  test.each<[string, Partial<Observer>, RegExp]>([
    [
      "goes by another configuration",
      { status: () => ({ configPath: "/elsewhere" }), testPush: async () => JSON.stringify([accepted]) },
      /; sent by this command: no opencode runs with this configuration/,
    ],
    [
      "cannot push alone",
      { test: async () => "everything" },
      /; sent by this command: opencode \(pid \d+\) gave no answer/,
    ],
    ["answers with nonsense", { testPush: async () => '[{"ok":1}]' }, /; sent by this command: opencode \(pid/],
    ["fails", { testPush: () => Promise.reject(new Error("no")) }, /; sent by this command: opencode \(pid/],
  ])("sends it itself, and says why, when that one %s", async (_, observer, words) => {
    const run = await arrange(observer);
    const { code, out } = await run();
    expect(out).toContain("the connection or program died meanwhile by ntfy: no connection (ECONNREFUSED)");
    expect(out).toMatch(words);
    expect(code).toBe(1);
  });

  test("says that the opencode knows no address, when its configuration in force has none", async () => {
    const run = await arrange({ testPush: async () => "[]" });
    expect((await run()).out).toMatch(
      /push {6}not available: alerts\.push names no address; asked opencode \(pid \d+\)/,
    );
  });
});
