import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runtimes } from "../../package/runtimes.ts";
import { withDesktop } from "../../rig/desktop/with-desktop.ts";
import { printed, startChild } from "../../rig/host/child.ts";
import { needs } from "../../rig/needs.ts";

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "beckon-runtimes-"));
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"));
  await build({
    entryPoints: ["./programs/on-a-desktop.ts", "./programs/in-hard-times.ts", "./programs/send-one.ts"].map((entry) =>
      fileURLToPath(new URL(entry, import.meta.url)),
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
