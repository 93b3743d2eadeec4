import { afterAll, beforeAll, expect, test } from "vitest";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { attachTui } from "../rig/host/start-tui.ts";
import type { Terminal } from "../rig/host/terminal.ts";
import { needs } from "../rig/needs.ts";
import { inWords } from "../scenarios/scenario.ts";
import { permissionWaits } from "../scenarios/sentences.ts";
import { inEnglish } from "./v1/english.ts";
import { type Observer, observe } from "./v1/observer.ts";
import { reaches, type Seen, seenUnder } from "./v1/shown.ts";
import { work } from "./v1/work.ts";

/** They build on each other: two terminals are moved about, and in the end taken away. */
needs(
  "dbus-daemon",
  "dunst",
  "Xvfb",
  "python3",
)("with two terminals on the real opencode 1.18", () => {
  let desktop: Desktop;
  let host: RealHost;
  let observer: Observer;
  let watched: string;
  let left: Terminal;
  let right: Terminal;
  const toEnd: Terminal[] = [];

  async function attach(sessionID?: string) {
    const terminal = await attachTui(host.home, host.server.url, sessionID === undefined ? {} : { sessionID });
    toEnd.push(terminal);
    await observer.knows(terminal.pid, sessionID === undefined ? { view: "home" } : { view: "session", sessionID });
    return terminal;
  }

  beforeAll(async () => {
    desktop = await startDesktop();
    host = await startRealHost({
      plugins: [packageRoot()],
      tuiPlugins: [packageRoot()],
      env: { ...inEnglish, ...reaches(desktop) },
    });
    observer = await observe(host.home);
    watched = await host.newSession({ ask: ["bash"] });
    left = await attach(watched);
    right = await attach();
  });
  afterAll(async () => {
    observer?.close();
    for (const terminal of toEnd) await terminal.end();
    await host?.close();
    await desktop?.close();
  });

  async function seen(session: string): Promise<Seen[]> {
    await desktop.settled();
    return seenUnder(desktop, [host.titleOf(session)]);
  }

  async function focus(terminal: Terminal) {
    terminal.focus();
    await observer.knows(terminal.pid, { focus: "focused" });
  }

  async function blur(terminal: Terminal) {
    terminal.blur();
    await observer.knows(terminal.pid, { focus: "blurred" });
  }

  test("a terminal that has said nothing about its focus silences nothing", async () => {
    expect(inWords(await work(host, watched))).toBe("done delivered unattended");
  });

  test("work that ends in front of somebody's eyes is not announced, and the journal names the terminal", async () => {
    await focus(left);
    const before = await seen(watched);
    const line = await work(host, watched);
    expect(inWords(line)).toBe("done suppressed attended");
    expect(line.by).toContain(String(left.pid));
    expect(await seen(watched)).toHaveLength(before.length);
  });

  test("another session's end is announced all the same", async () => {
    const other = await host.newSession();
    expect(inWords(await work(host, other))).toBe("done delivered unattended");
    expect(await seen(other)).toHaveLength(1);
  });

  test("a look takes a banner back that was for this session", async () => {
    await blur(left);
    expect(inWords(await work(host, watched))).toBe("done delivered unattended");
    expect((await seen(watched)).at(-1)).toMatchObject({ urgency: "normal", end: "up" });
    await focus(left);
    await host.decided((line) => line.sessionID === watched && inWords(line) === "done withdrawn seen");
    expect((await seen(watched)).at(-1)).toMatchObject({ end: "taken back" });
  });

  test("a permission somebody looks at calls when they leave without an answer, and the answer takes it back", async () => {
    const before = (await seen(watched)).length;
    await host.prompt(watched, "[bash echo permitted]");
    const { requestID } = await host.nextAsk(watched);
    await host.decided((line) => line.requestID === requestID && inWords(line) === "pause deferred attended");
    expect(await seen(watched)).toHaveLength(before);
    await blur(left);
    await host.decided((line) => line.requestID === requestID && inWords(line) === "pause delivered left");
    const shown: Seen = { body: permissionWaits("bash"), urgency: "critical", end: "up" };
    expect((await seen(watched)).slice(before)).toEqual([shown]);
    await host.reply(requestID, "once");
    await host.decided((line) => line.requestID === requestID && inWords(line) === "pause withdrawn answered");
    await host.ended(watched);
    await host.settled(); // its end is decided, and is not taken for the next test's
    expect((await seen(watched))[before]).toEqual({ ...shown, end: "taken back" });
  });

  test("focus on the home screen silences nothing", async () => {
    await focus(right);
    expect(inWords(await work(host, watched))).toBe("done delivered unattended");
  });

  test("of two terminals on it, one that is looked at is enough", async () => {
    await host.server.client.selectSession(watched);
    await observer.knows(right.pid, { view: "session", sessionID: watched, focus: "focused" });
    await observer.knows(left.pid, { focus: "blurred" });
    const line = await work(host, watched);
    expect(inWords(line)).toBe("done suppressed attended");
    expect(line.by).toContain(String(right.pid));
  });

  test("a terminal that hangs stops counting after a while, and the next end is announced", async () => {
    right.signal("SIGSTOP");
    await observer.forgets(right.pid);
    expect(inWords(await work(host, watched))).toBe("done delivered unattended");
    right.signal("SIGCONT");
    await observer.knows(right.pid, { focus: "focused" });
    expect(inWords(await work(host, watched))).toBe("done suppressed attended");
  });

  test("a terminal that was killed counts no more at once", async () => {
    right.signal("SIGKILL");
    await right.exited;
    await observer.forgets(right.pid);
    expect(inWords(await work(host, watched))).toBe("done delivered unattended");
  });
});
