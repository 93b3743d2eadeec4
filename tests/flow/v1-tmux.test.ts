import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { hostProgram } from "../rig/host/start-server.ts";
import { printedBytes } from "../rig/host/terminal.ts";
import { waitUntil } from "../rig/host/wait-for.ts";
import { needs } from "../rig/needs.ts";
import { inWords } from "../scenarios/scenario.ts";
import { inEnglish } from "./v1/english.ts";
import { type Observer, observe } from "./v1/observer.ts";
import { reaches, seenUnder } from "./v1/shown.ts";
import { startTmux } from "./v1/tmux.ts";
import { work } from "./v1/work.ts";

needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
  "python3",
  "tmux",
)("with opencode 1.18 in a pane of a real tmux", () => {
  let desktop: Desktop;
  let host: RealHost;
  let observer: Observer;

  beforeAll(async () => {
    desktop = await startDesktop();
    host = await startRealHost({
      plugins: [packageRoot()],
      tuiPlugins: [packageRoot()],
      env: { ...inEnglish, ...reaches(desktop) },
    });
    observer = await observe(host.home);
  });
  afterAll(async () => {
    observer?.close();
    await host?.close();
    await desktop?.close();
  });

  /** opencode in the first pane, on a session of its own. */
  async function open(focusEvents: "on" | "off") {
    const session = await host.newSession();
    const argv = [hostProgram(), "attach", host.server.url, "--session", session];
    const tmux = await startTmux(host.home, argv, { set: { "focus-events": focusEvents } });
    onTestFinished(() => tmux.close());
    const pid = await tmux.pid();
    await observer.knows(pid, { view: "session", sessionID: session });
    const shown = async () => {
      await desktop.settled();
      return seenUnder(desktop, [host.titleOf(session)]).length;
    };
    return { session, tmux, pid, shown };
  }

  test("focus-events on: the pane in front is looked at, another pane or window in front is not", async () => {
    const { session, tmux, pid, shown } = await open("on");
    await waitUntil("a tmux that wants to know the window's focus", () => tmux.window.reportsFocus());
    tmux.window.blur();
    tmux.window.focus();
    await observer.knows(pid, { focus: "focused" });
    expect(inWords(await work(host, session))).toBe("done suppressed attended");
    expect(await shown()).toBe(0);

    await tmux.run("split-window", "sleep 1000");
    await observer.knows(pid, { focus: "blurred" });
    expect(inWords(await work(host, session))).toBe("done delivered unattended");
    expect(await shown()).toBe(1);

    await tmux.run("select-pane", "-t", ":0.0");
    await observer.knows(pid, { focus: "focused" });
    expect(inWords(await work(host, session))).toBe("done suppressed attended");

    tmux.window.blur();
    await observer.knows(pid, { focus: "blurred" });
    expect(inWords(await work(host, session))).toBe("done delivered unattended");
    expect(await shown()).toBe(2);
  });

  test("focus-events off: tmux says nothing, so every end is announced, whichever pane is in front", async () => {
    const { session, tmux, pid, shown } = await open("off");
    expect(inWords(await work(host, session))).toBe("done delivered unattended");
    await tmux.run("split-window", "sleep 1000");
    expect(inWords(await work(host, session))).toBe("done delivered unattended");
    expect(await shown()).toBe(2);
    await observer.knows(pid, { focus: "unknown" });
    expect(tmux.window.reportsFocus()).toBe(false);

    await tmux.run("detach-client"); // tmux tells it a blur, and a focus when somebody attaches again
    const window = await tmux.attach();
    await tmux.run("select-pane", "-t", ":0.0");
    window.write("x"); // a key: in a terminal that told its focus before it would prove focus
    await printedBytes(window, "x");
    await tmux.run("select-pane", "-t", ":0.1");
    expect(inWords(await work(host, session))).toBe("done delivered unattended");
    await observer.knows(pid, { focus: "unknown" });
  });

  test("a terminal that was cut off, as when ssh breaks, has left", async () => {
    const { session, tmux, pid } = await open("on");
    await waitUntil("a tmux that wants to know the window's focus", () => tmux.window.reportsFocus());
    tmux.window.focus();
    await observer.knows(pid, { focus: "focused" });
    tmux.window.signal("SIGKILL");
    await observer.knows(pid, { focus: "blurred" });
    expect(inWords(await work(host, session))).toBe("done delivered unattended");
  });
});
