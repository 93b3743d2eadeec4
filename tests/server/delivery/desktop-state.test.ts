import { createConnection } from "node:net";
import * as dbus from "dbus-native";
import { describe, expect, test } from "vitest";
import { createDesktopState } from "../../../src/server/delivery/desktop-state.ts";
import { openBus } from "../../../src/server/delivery/open-bus.ts";
import type { Platform } from "../../../src/server/delivery/platform.ts";
import { runProgram } from "../../../src/server/delivery/run-program.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { patientClock } from "../../fakes/patient-clock.ts";
import type { Desktop } from "../../rig/desktop/desktop.ts";
import { startScreenSaver } from "../../rig/desktop/screen-saver.ts";
import { withDesktop } from "../../rig/desktop/with-desktop.ts";
import { startChild } from "../../rig/host/child.ts";
import { waitFor } from "../../rig/host/wait-for.ts";
import { needs } from "../../rig/needs.ts";

const stateOf = (env: Record<string, string>, platform: Platform = "linux", clock = patientClock) =>
  createDesktopState({ platform, env, openBus, run: runProgram, clock });

/** A bus for both roles: what the system bus has is served here by a stand-in for logind. */
const both = ({ env }: Desktop) => ({ ...env, DBUS_SYSTEM_BUS_ADDRESS: `${env.DBUS_SESSION_BUS_ADDRESS}` });

type Service = { name: string; path: string; iface: string; property?: [string, boolean]; method?: [string, boolean] };

/** Owns a name on the private bus and answers one question, as a desktop's service does. */
async function serve({ env }: Desktop, { name, path, iface, property, method }: Service) {
  const address = `${env.DBUS_SESSION_BUS_ADDRESS}`.replace(/^unix:path=/, "").replace(/,.*/, "");
  const stream = createConnection(address);
  const bus = dbus.createClient({ stream });
  bus.connection.on("error", () => {});
  const object: Record<string, unknown> = {};
  if (property) object[property[0]] = property[1];
  if (method) object[method[0]] = () => method[1];
  bus.exportInterface(object, path, {
    name: iface,
    properties: property ? { [property[0]]: "b" } : {},
    methods: method ? { [method[0]]: ["", "b", [], []] } : {},
    signals: {},
  });
  await bus.requestName(name, 0);
  return { stop: () => stream.destroy() };
}

const notifications = {
  name: "org.freedesktop.Notifications",
  path: "/org/freedesktop/Notifications",
  iface: "org.freedesktop.Notifications",
};
const login = {
  name: "org.freedesktop.login1",
  path: "/org/freedesktop/login1/session/auto",
  iface: "org.freedesktop.login1.Session",
};
const screenSaver = {
  name: "org.freedesktop.ScreenSaver",
  path: "/org/freedesktop/ScreenSaver",
  iface: "org.freedesktop.ScreenSaver",
};

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
)("the state of a real desktop", () => {
  test("knows whether dunst holds its banners back", async () => {
    await withDesktop({}, async (desktop) => {
      const state = stateOf(desktop.env);
      expect(await state.doNotDisturb()).toBe(false);
      await desktop.run("dunstctl", "set-paused", "true");
      expect(await state.doNotDisturb()).toBe(true);
      await state.close();
    });
  });

  test("is not known when the daemon does not answer, and nobody waits long for it", async () => {
    await withDesktop({}, async (desktop) => {
      const state = stateOf(desktop.env, "linux", systemClock);
      desktop.daemon.signal("SIGSTOP");
      expect(await state.doNotDisturb()).toBeUndefined();
      await state.close();
    });
  });

  test("is looked for again after the bus was gone", async () => {
    await withDesktop({}, async (desktop) => {
      const state = stateOf(desktop.env);
      expect(await state.doNotDisturb()).toBe(false);
      await desktop.bus.end();
      expect(await state.doNotDisturb()).toBeUndefined();
      await desktop.bus.restart();
      expect(await state.doNotDisturb()).toBe(false);
      await state.close();
    });
  });
});

needs(
  "dbus-daemon",
  "Xvfb",
  "dunst",
  "mate-screensaver",
)("a real screen", () => {
  test("is known to be locked while MATE's locker has locked it, and no longer", async () => {
    await withDesktop({}, async (desktop) => {
      const saver = await startScreenSaver(desktop);
      const state = stateOf(desktop.env);
      expect(await state.isLocked()).toBe(false);
      await saver.lock();
      expect(await state.isLocked()).toBe(true);
      await saver.unlock();
      expect(await state.isLocked()).toBe(false);
      await state.close();
      await saver.end();
    });
  });
});

needs("dbus-daemon", "gsettings")("the settings of GNOME", () => {
  test("tell whether it holds its banners back", async () => {
    await withDesktop({ daemon: "none" }, async (desktop) => {
      const env = { ...desktop.env, GSETTINGS_BACKEND: "keyfile", XDG_CURRENT_DESKTOP: "ubuntu:GNOME" };
      const [gnome, other] = [stateOf(env), stateOf({ ...env, XDG_CURRENT_DESKTOP: "sway" })];
      expect(await gnome.doNotDisturb()).toBe(false);
      const args = ["set", "org.gnome.desktop.notifications", "show-banners", "false"];
      await runProgram({ program: "gsettings", args, env, deadlineMs: 30_000 });
      expect(await gnome.doNotDisturb()).toBe(true);
      expect(await other.doNotDisturb()).toBeUndefined();
      await Promise.all([gnome.close(), other.close()]);
    });
  });
});

const xfconfd = "/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd";
needs(
  "dbus-daemon",
  "Xvfb",
  "xfconf-query",
  xfconfd,
  "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd",
)("the settings of Xfce", () => {
  test("tell whether its own daemon holds banners back", async () => {
    await withDesktop({ daemon: "xfce4-notifyd" }, async (desktop) => {
      const env = { ...desktop.env, XDG_CURRENT_DESKTOP: "XFCE" };
      const settings = startChild(xfconfd, [], { cwd: desktop.folder, env });
      const state = stateOf(env);
      const setTo = (value: string) =>
        desktop.run(
          "xfconf-query",
          ...["--channel", "xfce4-notifyd", "--property", "/do-not-disturb"],
          ...["--create", "--type", "bool", "--set", value],
        );
      await waitFor(
        "xfconfd to answer",
        async () => (await setTo("true").catch(() => undefined)) !== undefined || undefined,
      );
      expect(await state.doNotDisturb()).toBe(true);
      await setTo("false");
      expect(await state.doNotDisturb()).toBe(false);
      await state.close();
      await settings.end();
    });
  });
});

needs("dbus-daemon")("the state of a desktop whose services stand in", () => {
  test("knows Plasma's do-not-disturb", async () => {
    await withDesktop({ daemon: "none" }, async (desktop) => {
      const service = await serve(desktop, { ...notifications, property: ["Inhibited", true] });
      const state = stateOf(desktop.env);
      expect(await state.doNotDisturb()).toBe(true);
      await state.close();
      service.stop();
    });
  });

  test.each([true, false])("knows from logind that the screen is locked: %s", async (locked) => {
    await withDesktop({ daemon: "none" }, async (desktop) => {
      const service = await serve(desktop, { ...login, property: ["LockedHint", locked] });
      const state = stateOf(both(desktop));
      expect(await state.isLocked()).toBe(locked);
      await state.close();
      service.stop();
    });
  });

  test("knows it from the screen saver where logind was not told", async () => {
    await withDesktop({ daemon: "none" }, async (desktop) => {
      const service = await serve(desktop, { ...screenSaver, method: ["GetActive", true] });
      const state = stateOf(both(desktop));
      expect(await state.isLocked()).toBe(true);
      await state.close();
      service.stop();
    });
  });

  test("is not known where nobody can tell", async () => {
    await withDesktop({ daemon: "none" }, async (desktop) => {
      const state = stateOf(both(desktop));
      expect(await state.isLocked()).toBeUndefined();
      expect(await state.doNotDisturb()).toBeUndefined();
      await state.close();
    });
  });
});

describe("the state of no desktop", () => {
  test.each(["linux", "win32", "wsl", "other"] as const)("is not known on %s without a bus", async (platform) => {
    const state = stateOf({ DBUS_SYSTEM_BUS_ADDRESS: "unix:path=/nowhere" }, platform);
    expect(await state.doNotDisturb()).toBeUndefined();
    expect(await state.isLocked()).toBeUndefined();
    await state.close();
    await state.close();
  });

  test("of a Mac is read from what ioreg prints", async () => {
    const answers = [
      "<key>CGSSessionScreenIsLocked</key>\n\t<true/>",
      "<key>CGSSessionScreenIsLocked</key><false/>",
      "<dict></dict>",
    ];
    const seen = await Promise.all(
      answers.map((value) => {
        const run = async () => ({ ok: true, value }) as const;
        return createDesktopState({ platform: "darwin", env: {}, openBus, run, clock: patientClock }).isLocked();
      }),
    );
    expect(seen).toEqual([true, false, false]);
  });
});
