import { afterAll, afterEach, beforeAll, test } from "vitest";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { type I3, inFront, startI3 } from "../rig/desktop/i3.ts";
import { startChild } from "../rig/host/child.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { hostProgram } from "../rig/host/start-server.ts";
import { attachTui } from "../rig/host/start-tui.ts";
import { printedBytes } from "../rig/host/terminal.ts";
import { waitFor, waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { inEnglish } from "./v1/english.ts";
import { type Observer, observe } from "./v1/observer.ts";
import { displayedUnder, reaches } from "./v1/shown.ts";
import { work } from "./v1/work.ts";

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
  "python3",
  "i3",
  "kitty",
)("a click on a banner of the real opencode 1.18", () => {
  let desktop: Desktop;
  let host: RealHost;
  let observer: Observer;
  let i3: I3;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    desktop = await startDesktop();
    i3 = await startI3(desktop);
    host = await startRealHost({
      plugins: [packageRoot()],
      tuiPlugins: [packageRoot()],
      env: { ...inEnglish, ...reaches(desktop) },
    });
    observer = await observe(host.home);
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(async () => {
    observer?.close();
    await host?.close();
    await i3?.end();
    await desktop?.close();
  });

  /** A session has done its work, and the person clicks on what tells them. */
  async function click(): Promise<string> {
    await desktop.run("dunstctl", "close-all");
    const session = await host.newSession();
    await work(host, session);
    await waitUntil("the banner", () => displayedUnder(desktop, [host.titleOf(session)]).length === 1);
    await desktop.run("dunstctl", "action", "0");
    return session;
  }

  test("moves the terminal to that session; one whose window cannot be raised says that it was called", async () => {
    const terminal = await attachTui(host.home, host.server.url);
    ends.push(terminal.end);
    await observer.knows(terminal.pid, { view: "home" });
    const session = await click();
    await observer.knows(terminal.pid, { view: "session", sessionID: session });
    await printedBytes(terminal, "you were called to this session");
  });

  test("brings the window in front in which that terminal is", async () => {
    const { DISPLAY = "" } = desktop.env;
    const env = { ...host.home.env, ...inEnglish, ...i3.env, DISPLAY, LIBGL_ALWAYS_SOFTWARE: "1" };
    const open = (...argv: string[]) => {
      const child = startChild("kitty", ["--config", "NONE", ...argv], { cwd: host.home.project, env });
      ends.push(child.end);
    };
    open(hostProgram(), "attach", host.server.url);
    const called = await waitFor("its window", async () => (await i3.windows())[0]);
    await waitUntil("it at the relay", async () => (await observer.terminals()).some(({ view }) => view === "home"));
    await i3.msg("workspace", "2");
    open("sh", "-c", "exec sleep 600");
    await waitUntil("another window in front", async () => ![undefined, called].includes(await i3.front()));
    const session = await click();
    await inFront(i3, called);
    await waitUntil("the session on its screen", async () =>
      (await observer.terminals()).some(({ sessionID }) => sessionID === session),
    );
  });
});
