import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Desktop, startDesktop } from "../rig/desktop/desktop.ts";
import { type ScreenSaver, startScreenSaver } from "../rig/desktop/screen-saver.ts";
import { packageRoot } from "../rig/host/package-root.ts";
import { type RealHost, startRealHost } from "../rig/host/real-host.ts";
import { waitFor, waitUntil } from "../rig/host/wait-for.ts";
import { writeConfig } from "../rig/host/write-config.ts";
import { needs } from "../rig/needs.ts";
import type { JournalLine } from "../scenarios/host-under-test.ts";
import { inWords } from "../scenarios/scenario.ts";
import { attachTerminal } from "./relay/stand-in-terminal.ts";
import { inEnglish } from "./v1/english.ts";
import { displayedUnder, reaches, seenUnder } from "./v1/shown.ts";
import { work } from "./v1/work.ts";

const whole = (line: JournalLine) => [inWords(line), ...line.channels, ...(line.hidden ?? [])].join(" ");

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "mate-screensaver",
)("on a real desktop that shows no banner just now", () => {
  let desktop: Desktop;
  let saver: ScreenSaver;
  let host: RealHost;
  let service: Server;
  const messages: { event: string; kind?: string }[] = [];

  beforeAll(async () => {
    service = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        messages.push(JSON.parse(text));
        response.end();
      });
    });
    await new Promise<void>((up) => service.listen(0, "127.0.0.1", up));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    desktop = await startDesktop();
    saver = await startScreenSaver(desktop);
    host = await startRealHost({
      plugins: [packageRoot()],
      env: { ...inEnglish, ...reaches(desktop) },
      prepare: (home) =>
        writeConfig(home, { alerts: { push: [{ type: "webhook", url, events: ["done"], afterSeconds: 3_600 }] } }),
    });
  });
  afterEach(() => void messages.splice(0));
  afterAll(async () => {
    await host?.close();
    await saver?.end();
    await desktop?.close();
    service?.close();
  });

  const linesOf = async (session: string) =>
    (await host.decisions()).filter(({ sessionID }) => sessionID === session).map(whole);

  /** Whether the host's process has a connection to the person's bus. */
  async function isOnTheBus(): Promise<boolean> {
    const bus = ["--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/"];
    const names = (await desktop.run("dbus-send", ...bus, "org.freedesktop.DBus.ListNames")).match(/:\d+\.\d+/g) ?? [];
    const owners = names.map((name) =>
      desktop
        .run("dbus-send", ...bus, "org.freedesktop.DBus.GetConnectionUnixProcessID", `string:${name}`)
        .catch(() => ""),
    );
    return (await Promise.all(owners)).some((answer) => answer.includes(`uint32 ${host.server.child.pid}`));
  }

  test("nothing is asked before there is something to tell", async () => {
    const session = await host.newSession();
    await host.prompt(session, "Just an answer.");
    await host.ended(session);
    await host.decided(({ sessionID, outcome }) => sessionID === session && outcome === "silent");
    expect(await isOnTheBus()).toBe(false);
    await work(host, session);
    expect(await isOnTheBus()).toBe(true);
  });

  test("do not disturb: the line says so, the message leaves at once, the banner comes when it ends", async () => {
    await desktop.run("dunstctl", "set-paused", "true");
    const session = await host.newSession();
    await work(host, session);
    await host.decided(({ sessionID, channels }) => sessionID === session && channels.includes("push"));
    expect(await linesOf(session)).toEqual([
      "done delivered unattended banner do-not-disturb",
      "done delivered unattended push",
    ]);
    expect(messages).toMatchObject([{ event: "alert", kind: "done" }]);
    expect(displayedUnder(desktop, [host.titleOf(session)])).toEqual([]);
    const command = join(packageRoot(), "dist/server/cli/main.js");
    const why = execFileSync(process.execPath, [command, "why", "--last", "2"], {
      env: host.home.env,
      encoding: "utf8",
    });
    expect(why).toContain("called you: nobody was looking at it → banner; do not disturb was on");
    await desktop.run("dunstctl", "set-paused", "false");
    await waitFor("the banner on the screen", () => displayedUnder(desktop, [host.titleOf(session)])[0]);
  });

  test("nothing hides it: no message leaves before its time", async () => {
    const session = await host.newSession();
    await work(host, session);
    expect(await linesOf(session)).toEqual(["done delivered unattended banner"]);
    expect(messages).toEqual([]);
  });

  test("behind a locked screen nobody looks, though a terminal says so; the first key after it takes the banner back", async () => {
    const session = await host.newSession();
    const looks = { focus: "focused", view: { type: "session", sessionID: session }, idleMs: 0 } as const;
    const terminal = await attachTerminal(host.home, looks);
    await work(host, session);
    expect(await linesOf(session)).toEqual(["done suppressed attended"]);

    await saver.lock();
    await work(host, session);
    await host.decided(({ sessionID, channels }) => sessionID === session && channels.includes("push"));
    terminal.reports({ ...looks, idleMs: 60_000 }); // it goes on beating
    await host.settled();
    expect((await linesOf(session)).slice(1)).toEqual([
      "done delivered unattended banner locked",
      "done delivered unattended push",
    ]);

    await saver.unlock();
    terminal.reports(looks);
    await host.decided(({ sessionID, outcome }) => sessionID === session && outcome === "withdrawn");
    expect((await linesOf(session)).at(-1)).toBe("done withdrawn seen banner push");
    await waitUntil("it to be gone", () => seenUnder(desktop, [host.titleOf(session)])[0]?.end === "taken back");
    await waitUntil("the message to be called back", () => messages.some(({ event }) => event === "withdrawn"));
    await terminal.leaves();
  });
});
