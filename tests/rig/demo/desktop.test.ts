import { describe, expect, test } from "vitest";
import { withDesktop } from "../desktop/with-desktop.ts";
import { needs } from "../needs.ts";
import { findDesktop } from "./desktop.ts";

describe("the demo says where its banners go", () => {
  test.each([
    ["linux", "not shown: this machine has no session bus"],
    ["win32", "not shown: no desktop is known for win32 here"],
    ["darwin", "real ones, by macOS"],
  ] as const)("on %s without any variable: %s", async (platform, words) => {
    expect(await findDesktop({}, platform)).toMatchObject({ words, env: {} });
  });

  needs("dbus-daemon")("on a bus of which nobody shows notifications", () => {
    test("nowhere", async () => {
      await withDesktop({ daemon: "none" }, async ({ env }) => {
        const told = async (more: object) => (await findDesktop({ ...env, ...more }, "linux")).words;
        expect(await told({})).toBe("not shown: there is a session bus, but no display");
        expect(await told({ DISPLAY: ":0" })).toBe("not shown: there is a desktop, but no notification daemon answers");
      });
    });
  });

  needs(
    "dbus-daemon",
    "dunst",
    "Xvfb",
  )("on a real desktop", () => {
    test("there, also when only XDG_RUNTIME_DIR leads to the bus", async () => {
      await withDesktop({}, async ({ env }) => {
        const { DBUS_SESSION_BUS_ADDRESS: _, ...login } = env;
        expect(await findDesktop(login, "linux")).toEqual({
          words: "real ones, on your desktop",
          env: { DISPLAY: env.DISPLAY, DBUS_SESSION_BUS_ADDRESS: `unix:path=${env.XDG_RUNTIME_DIR}/bus` },
          shows: true,
          takesBack: true,
        });
      });
    });
  });
});
