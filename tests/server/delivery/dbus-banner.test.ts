import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sessionBusPaths } from "../../../src/server/delivery/bus-address.ts";
import type { Channel, NoteEvent } from "../../../src/server/delivery/channel.ts";
import { createChannel } from "../../../src/server/delivery/create-channel.ts";
import { createDbusBanner } from "../../../src/server/delivery/dbus-banner.ts";
import { openBus } from "../../../src/server/delivery/open-bus.ts";
import { type Clock, systemClock } from "../../../src/shared/clock.ts";
import { outletContract } from "../../contract/channel.contract.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import { type Desktop, type DesktopOptions, startDesktop } from "../../rig/desktop/desktop.ts";
import { waitFor, waitUntil } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";
import { noteOf } from "./note.ts";

const bannerOn = (env: Record<string, string>, clock: Clock, onNote: (event: NoteEvent) => void = () => {}) =>
  createDbusBanner({ openBus, paths: sessionBusPaths(env), clock, onNote });

const plain = (markup: string) => markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

async function failing(options: DesktopOptions, prepare: (desktop: Desktop) => Promise<void> | void = () => {}) {
  const desktop = await startDesktop(options);
  await prepare(desktop);
  return { outlet: bannerOn(desktop.env, systemClock), close: () => desktop.close() };
}

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
)("a banner over the session bus", () => {
  outletContract({
    name: "dbus with dunst",
    texts: ({ title, body }) => [title, body],
    takesBack: "also the next one",
    async works() {
      const desktop = await startDesktop();
      return {
        outlet: bannerOn(desktop.env, patientClock),
        next: () => bannerOn(desktop.env, patientClock),
        received: (count) =>
          waitFor(
            () => `${count} notes on the screen: ${JSON.stringify(desktop.displayed())}`,
            () =>
              desktop.displayed().length >= count
                ? desktop.displayed().map(({ title, body }) => [title, plain(body)])
                : undefined,
          ),
        close: () => desktop.close(),
      };
    },
    fails: {
      unavailable: () => failing({ daemon: "none" }),
      timeout: () => failing({}, (desktop) => desktop.daemon.signal("SIGSTOP")),
    },
  });

  describe("with a person in front of it", () => {
    let desktop: Desktop;
    let channel: Channel;
    let events: NoteEvent[];
    let lines: string[];
    const channelWith = (clock: Clock) =>
      createChannel({
        name: "banner",
        outlets: [bannerOn(desktop.env, clock, (event) => events.push(event))],
        deadlineMs: 5_000,
        clock,
        log: (line) => lines.push(line),
      });
    beforeEach(async () => {
      events = [];
      lines = [];
      desktop = await startDesktop();
      channel = channelWith(patientClock);
    });
    afterEach(async () => {
      await channel.close();
      await desktop.close();
    });
    const up = () => desktop.banners().filter(({ closed, overwritten }) => !closed && !overwritten);

    test("is shown with its urgency and under opencode's name", async () => {
      await channel.send(noteOf({ urgency: "critical" }));
      await desktop.settled();
      const [banner] = desktop.banners();
      expect(banner).toMatchObject({
        app: "opencode",
        title: "Fix login",
        urgency: "critical",
        timeoutMs: 0,
        replaces: 0,
      });
      expect(banner?.hints).toEqual({ urgency: 2, "desktop-entry": "opencode", category: "x-opencode.pause" });
      await waitFor("it to be on the screen", () => desktop.displayed()[0]);
    });

    test("is replaced in place by the next one of its session", async () => {
      await channel.send(noteOf({ body: "one" }));
      await channel.send(noteOf({ body: "two" }));
      await desktop.settled();
      expect(up()).toMatchObject([{ body: "two" }]);
      expect(desktop.banners()[1]?.id).toBe(desktop.banners()[0]?.id);
    });

    test("two at once for one session are one banner, and the last word stands", async () => {
      await Promise.all(["one", "two", "three"].map((body) => channel.send(noteOf({ body }))));
      await desktop.settled();
      expect(up()).toMatchObject([{ body: "three" }]);
    });

    test("is taken back, and another session's stays", async () => {
      await channel.send(noteOf({ key: "S" }));
      await channel.send(noteOf({ key: "R", title: "Write docs" }));
      await channel.withdraw("S");
      await desktop.until("the first to be closed", ([first]) => first?.closed);
      expect(desktop.banners()[0]?.closed).toEqual({ reason: "closed", by: "call" });
      expect(up()).toMatchObject([{ title: "Write docs" }]);
    });

    test("is taken back when the answer comes while it is on its way", async () => {
      const sent = channel.send(noteOf());
      await channel.withdraw("ses_S");
      await sent;
      await desktop.settled();
      await waitUntil("nothing to be up", () => up().length === 0);
    });

    test("a withdrawal leaves a later banner of that session alone", async () => {
      await Promise.all([
        channel.send(noteOf({ body: "one" })),
        channel.withdraw("ses_S"),
        channel.send(noteOf({ body: "two" })),
      ]);
      await desktop.settled();
      await waitUntil("one to be up", () => up().length === 1);
      expect(up()).toMatchObject([{ body: "two" }]);
    });

    test("tells when the person dismisses it, and is not closed a second time", async () => {
      await channel.send(noteOf());
      await waitFor("it to be on the screen", () => desktop.displayed()[0]);
      await desktop.run("dunstctl", "close");
      await waitUntil("the news", () => events.length > 0);
      expect(events).toEqual([{ type: "closed", key: "ses_S", sessionID: "ses_S", why: "dismissed" }]);
      expect(await channel.withdraw("ses_S")).toBe(false);
      await desktop.settled();
      expect(desktop.banners()[0]?.closed?.by).toBe("daemon");
    });

    test("that the person dismissed does not come again when its text would change", async () => {
      await channel.send(noteOf({ body: "2 requests" }));
      expect(await channel.update(noteOf({ body: "3 requests" }))).toBe(true);
      await waitFor("it to be on the screen", () => desktop.displayed()[0]);
      await desktop.run("dunstctl", "close");
      await waitUntil("the news", () => events.length > 0);
      expect(await channel.update(noteOf({ body: "1 request" }))).toBe(false);
      await desktop.settled();
      expect(desktop.banners().map(({ body }) => body)).toEqual(["2 requests", "3 requests"]);
    });

    test("tells which button was pressed", async () => {
      const actions = [
        { key: "default", label: "Open" },
        { key: "once", label: "Allow once" },
      ];
      await channel.send(noteOf({ actions }));
      await desktop.settled();
      await waitFor("it to be on the screen", () => desktop.displayed()[0]);
      expect(desktop.banners()[0]?.actions).toEqual(actions);
      await desktop.run("dunstctl", "action", "0");
      await waitUntil("the news", () => events.length > 0);
      expect(events[0]).toEqual({ type: "action", key: "ses_S", sessionID: "ses_S", action: "default" });
    });

    test("does not believe a click that the daemon did not report", async () => {
      await channel.send(noteOf({ actions: [{ key: "once", label: "Allow once" }] }));
      await desktop.settled();
      const id = desktop.banners()[0]?.id;
      const forged = ["--session", "--type=signal", "/org/freedesktop/Notifications"];
      await desktop.run(
        "dbus-send",
        ...forged,
        "org.freedesktop.Notifications.ActionInvoked",
        `uint32:${id}`,
        "string:once",
      );
      await desktop.settled();
      await desktop.run("dunstctl", "action", "0"); // the real one, as the marker
      await waitUntil("the news", () => events.some(({ type }) => type === "action"));
      expect(events.filter(({ type }) => type === "action")).toHaveLength(1);
    });

    test("is shown again after the daemon was killed and came back, and forgets the old numbers", async () => {
      await channel.send(noteOf({ key: "S", title: "old" }));
      desktop.daemon.signal("SIGKILL");
      await desktop.daemon.end();
      await waitUntil("the news", () => events.length > 0);
      expect(events).toEqual([{ type: "closed", key: "S", sessionID: "ses_S", why: "unknown" }]);
      expect(await channel.send(noteOf({ key: "S" }))).toMatchObject({ ok: false, reason: "unavailable" });
      await desktop.daemon.restart();
      expect(await channel.send(noteOf({ key: "R", title: "new" }))).toMatchObject({ ok: true });
      await desktop.settled();
      expect(desktop.banners().at(-1)?.id).toBe(desktop.banners()[0]?.id); // numbers start over
      await channel.withdraw("S");
      await desktop.settled();
      expect(desktop.banners().at(-1)).toMatchObject({ title: "new" });
      expect(desktop.banners().at(-1)).not.toHaveProperty("closed");
    });

    test("a daemon that hangs is a time-out, and what it shows later can still be taken back", async () => {
      const strict = channelWith(systemClock);
      await strict.send(noteOf({ key: "warm" }));
      desktop.daemon.signal("SIGSTOP");
      expect(await strict.send(noteOf({ key: "S", title: "late" }))).toMatchObject({ reason: "timeout", final: true });
      await strict.withdraw("S");
      desktop.daemon.signal("SIGCONT");
      await desktop.until("the late one to be closed", (all) => all.find(({ title }) => title === "late")?.closed);
      expect(lines).toHaveLength(1);
      await strict.close();
    });

    test.each([
      ["goes on", async () => desktop.daemon.signal("SIGCONT")],
      [
        "is killed and another one comes",
        async () => {
          desktop.daemon.signal("SIGKILL");
          await desktop.daemon.end();
          await desktop.daemon.restart();
        },
      ],
    ])("a daemon that hung is asked again as soon as it %s", async (_, wakeUp) => {
      const strict = channelWith(systemClock);
      await strict.send(noteOf({ key: "warm" }));
      desktop.daemon.signal("SIGSTOP");
      expect(await strict.send(noteOf())).toMatchObject({ reason: "timeout" });
      await wakeUp();
      const again = async () => (await strict.send(noteOf({ title: "again" }))).ok || undefined;
      await waitFor("a banner, long before the rest after a failure is over", again, 30_000);
      await strict.close();
    });

    test("a bus that dies hurts nobody, and is looked for again at the next note", async () => {
      await channel.send(noteOf());
      desktop.daemon.signal("SIGSTOP");
      const pending = channel.send(noteOf({ key: "S" }));
      await desktop.until("it to be asked for", ([, second]) => second);
      await desktop.bus.end();
      expect(await pending).toMatchObject({ ok: false, reason: "lost" });
      expect(await channel.send(noteOf({ key: "R" }))).toMatchObject({ ok: false, reason: "unavailable" });
      await desktop.bus.restart();
      expect(await channel.send(noteOf({ key: "R", title: "back" }))).toMatchObject({ ok: true });
      await desktop.until("it to be shown", (all) => all.find(({ title, id }) => title === "back" && id));
    });

    test("do-not-disturb looks like success: an id is all there is", async () => {
      await desktop.run("dunstctl", "set-paused", "true");
      expect(await channel.send(noteOf())).toMatchObject({ ok: true, certainty: "accepted" });
      expect(desktop.displayed()).toEqual([]);
      await desktop.run("dunstctl", "set-paused", "false");
      await waitFor("it to be on the screen", () => desktop.displayed()[0]);
    });
  });
});

describe("without a session bus", () => {
  test.each([
    ["no address at all", {}],
    ["an address that leads nowhere", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere/bus" }],
    ["no bus in the runtime folder", { XDG_RUNTIME_DIR: "/nowhere" }],
    ["an address of a kind we do not follow", { DBUS_SESSION_BUS_ADDRESS: "unixexec:path=/bin/true" }],
    ["nonsense", { DBUS_SESSION_BUS_ADDRESS: "%%%;;:" }],
  ])("%s is unavailable", async (_, env) => {
    const outlet = bannerOn(env, systemClock);
    expect(await outlet.send(noteOf(), new AbortController().signal)).toMatchObject({
      ok: false,
      reason: "unavailable",
    });
    await outlet.withdraw?.("ses_S");
    await outlet.close?.();
  });
});
