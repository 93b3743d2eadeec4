import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ancestorsOf } from "../../src/tui/ancestors.ts";
import { bringForward } from "../../src/tui/bring-forward.ts";
import { waysForward } from "../../src/tui/ways-forward.ts";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { type I3, inFront, startI3 } from "../rig/desktop/i3.ts";
import { startSway } from "../rig/desktop/sway.ts";
import { type Child, startChild } from "../rig/host/child.ts";
import { waitFor, waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";

/** What a program in a terminal finds in its environment. */
const environmentIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, "utf8")
      .split("\0")
      .filter((entry) => entry.includes("="))
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );

needs(
  "dbus-daemon",
  "Xvfb",
  "i3",
  "kitty",
  "wmctrl",
  "xdotool",
)("with real windows under i3", () => {
  let desktop: Desktop;
  let i3: I3;
  const children: Child[] = [];
  beforeEach(async () => {
    desktop = await startDesktop();
    i3 = await startI3(desktop);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await child.end();
    await i3.end();
    await desktop.close();
  });

  /** A real kitty; its window, and what a program in it knows. */
  async function openKitty(...options: string[]) {
    const before = await i3.windows();
    const file = join(desktop.folder, `environment-${before.length}`);
    const tell = ["sh", "-c", 'cat /proc/self/environ > "$0.part"; mv "$0.part" "$0"; exec sleep 600', file];
    const env = { ...desktop.env, ...i3.env, LIBGL_ALWAYS_SOFTWARE: "1" };
    children.push(startChild("kitty", ["--config", "NONE", ...options, ...tell], { cwd: desktop.folder, env }));
    const window = await waitFor("a new window", async () => (await i3.windows()).find((id) => !before.includes(id)));
    const known = await waitFor("its environment", () => {
      try {
        return environmentIn(file);
      } catch {
        return undefined;
      }
    });
    await inFront(i3, window);
    return { window, known };
  }

  test("a kitty is brought to the front by its own remote control", async () => {
    const remote = ["-o", "allow_remote_control=yes", "--listen-on", `unix:${desktop.folder}/kitty`];
    const called = await openKitty(...remote);
    await openKitty();
    const { KITTY_WINDOW_ID = "", KITTY_LISTEN_ON = "" } = called.known;
    expect(KITTY_LISTEN_ON).not.toBe("");
    expect(await bringForward(waysForward({ KITTY_WINDOW_ID, KITTY_LISTEN_ON }, "linux"), desktop.env)).toBe(true);
    await inFront(i3, called.window);
  });

  test.each(["wmctrl", "xdotool"])("a window beside is activated by %s, by its id", async (program) => {
    const called = await openKitty();
    await openKitty();
    const ways = waysForward(called.known, "linux").filter((way) => way.program === program);
    expect(await bringForward(ways, called.known)).toBe(true);
    await inFront(i3, called.window);
  });

  test("a window on another workspace is gone to by i3, by what the terminal itself has told", async () => {
    const called = await openKitty();
    await i3.msg("workspace", "2");
    const other = await openKitty();
    expect(await i3.front()).toBe(other.window);
    const ways = waysForward(called.known, "linux").filter(({ program }) => program === "i3-msg");
    expect(await bringForward(ways, called.known)).toBe(true);
    await inFront(i3, called.window);
  });
});

needs("sway", "foot")("with real windows under sway", () => {
  test("a terminal is brought to the front by the processes above what runs in it", async () => {
    const sway = await startSway();
    try {
      const called = await sway.open("sh", "-c", "sleep 600 & wait");
      const other = await sway.open("sleep", "600");
      expect(await sway.front()).toBe(other.pid);
      const shell = await waitFor("what runs in it", () => childOf(called.pid));
      const inside = await waitFor("what runs in that", () => childOf(shell));
      const ways = waysForward(sway.env, "linux", ancestorsOf(inside));
      expect(await bringForward(ways, sway.env)).toBe(true);
      await waitUntil("it to be in front", async () => (await sway.front()) === called.pid);
    } finally {
      await sway.end();
    }
  });
});

const childOf = (pid: number): number | undefined => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.trim() === "" ? undefined : Number(text.split(" ")[0]);
};
