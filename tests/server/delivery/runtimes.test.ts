import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runtimes } from "../../package/runtimes.ts";
import { withDesktop } from "../../rig/desktop/with-desktop.ts";
import { printed, startChild } from "../../rig/host/child.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { startNtfy } from "../../rig/ntfy/ntfy-server.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-runtimes-"));
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"));
  await build({
    entryPoints: ["on-a-desktop", "in-hard-times", "send-one", "press-a-button"].map((entry) =>
      fileURLToPath(new URL(`./programs/${entry}.ts`, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    external: ["dbus-native"],
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "notify-send",
)("delivery by a real daemon", () => {
  test.each(runtimes())("works in $name, which ends by itself afterwards", async ({ program, args, env }) => {
    await withDesktop({}, async (desktop) => {
      const path = `${desktop.env.PATH}`;
      const child = startChild(program, [...args, join(folder, "on-a-desktop.mjs")], {
        cwd: folder,
        env: { ...desktop.env, ...env, PATH: path },
      });
      const [line] = await printed(child, /^\[.*\]$/m);
      expect(await child.exited).toEqual({ code: 0, signal: null });
      expect(child.stderr()).toBe("");
      const said: unknown[] = JSON.parse(line);
      const accepted = { ok: true, outlet: "dbus", certainty: "accepted" };
      expect(said.slice(0, 2)).toEqual([accepted, accepted]);
      expect(said[2]).toEqual({ type: "action", key: "ses_S", sessionID: "ses_S", action: "default" });
      expect(said.slice(3)).toEqual([accepted, true]);
      await desktop.until("the last words", (all) => all.find(({ title, id }) => title === "last words" && id));
      expect(desktop.banners()).toMatchObject([
        { body: "one", overwritten: true },
        { body: "two &lt; three", invoked: ["default"] },
        { title: "taken back", closed: { reason: "closed", by: "call" } },
        { title: "last words" },
      ]);
    });
  });

  test.each(runtimes())(
    "hurts nobody in $name when the daemon hangs and the bus dies",
    async ({ program, args, env }) => {
      await withDesktop({}, async (desktop) => {
        const pids = { DAEMON_PID: `${desktop.daemon.pid()}`, BUS_PID: `${desktop.bus.pid()}` };
        const script = [...args, join(folder, "in-hard-times.mjs")];
        const child = startChild(program, script, { cwd: folder, env: { ...desktop.env, ...env, ...pids } });
        const [line] = await printed(child, /^\[.*\]$/m);
        expect(await child.exited).toEqual({ code: 0, signal: null });
        expect(child.stderr()).toBe("");
        const [first, hung, again, dead, ...later] = JSON.parse(line);
        expect([first, hung, again]).toEqual(["ok", "timeout", "ok"]);
        expect(["lost", "unavailable"]).toContain(dead); // who notices first: the note or the socket
        expect(later).toEqual(["unavailable", "unavailable"]);
      });
    },
  );

  test.each(runtimes())(
    "falls back to notify-send in $name where the bus library is not there",
    async ({ program, args, env }) => {
      await withDesktop({}, async (desktop) => {
        const alone = join(desktop.folder, "alone");
        cpSync(folder, alone, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
        const child = startChild(program, [...args, join(alone, "send-one.mjs")], {
          cwd: alone,
          env: { ...desktop.env, ...env },
        });
        const [line] = await printed(child, /^\[.*\]$/m);
        expect(await child.exited).toEqual({ code: 0, signal: null });
        expect(JSON.parse(line)).toEqual([{ ok: true, outlet: "notify-send", certainty: "accepted" }]);
        expect(child.stderr()).toBe("");
      });
    },
  );
});

test.each([
  ...runtimes().map((runtime) => ({ ...runtime, ends: "once nobody listens any more", stops: { STOPS: "1" } })),
  ...runtimes().map((runtime) => ({ ...runtime, ends: "though a button is still listened for", stops: {} })),
])("a pressed button is heard in $name, which ends by itself $ends", async ({ program, args, env, stops }) => {
  const ntfy = await startNtfy();
  onTestFinished(() => ntfy.close());
  const child = startChild(program, [...args, join(folder, "press-a-button.mjs")], {
    cwd: folder,
    env: { ...env, ...stops, NTFY: ntfy.url, PATH: process.env.PATH ?? "", HOME: folder },
  });
  onTestFinished(() => void child.end());
  const [message] = await waitFor("two messages", () =>
    ntfy.publications.length === 2 && ntfy.topics().length === 2 ? ntfy.publications : undefined,
  );
  await ntfy.press("Allow once", message ?? (await ntfy.asked()));
  const [line] = await printed(child, /^\{.*\}$/m);
  expect(JSON.parse(line)).toMatchObject({ type: "action", action: "once:per_1", from: "push" });
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(child.stderr()).toBe("");
});
