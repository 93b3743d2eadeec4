import { expect, test } from "vitest";
import { hasDesktop, platformOf } from "../../../src/server/delivery/platform.ts";

test.each([
  ["darwin", {}, undefined, "darwin"],
  ["win32", {}, undefined, "win32"],
  ["linux", {}, "6.1.0-28-amd64\n", "linux"],
  ["linux", {}, undefined, "linux"],
  ["linux", {}, "5.15.153.1-microsoft-standard-WSL2\n", "wsl"],
  ["linux", {}, "4.4.0-19041-Microsoft", "wsl"],
  ["linux", { WSL_DISTRO_NAME: "Ubuntu" }, "6.1.0", "wsl"],
  ["linux", { WSL_INTEROP: "/run/WSL/8_interop" }, "6.1.0", "wsl"],
  ["darwin", { WSL_DISTRO_NAME: "Ubuntu" }, undefined, "darwin"],
  ["freebsd", {}, undefined, "other"],
  ["android", {}, undefined, "other"],
])("%s with %j and kernel %j is %s", (system, env, release, platform) => {
  expect(platformOf(system, env, release)).toBe(platform);
});

test.each([
  ["linux", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/a" }, true],
  ["linux", { DISPLAY: ":0" }, true],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, true],
  ["linux", { XDG_RUNTIME_DIR: "/run/user/0" }, false],
  ["linux", {}, false],
  ["linux", { DISPLAY: "localhost:10.0", SSH_CONNECTION: "a b c d" }, false],
  ["darwin", {}, true],
  ["darwin", { SSH_TTY: "/dev/ttys1" }, false],
  ["wsl", {}, true],
  ["win32", {}, true],
  ["other", { DISPLAY: ":0" }, false],
] as const)("on %s with %j a person can sit in front of a desktop: %s", (platform, env, expected) => {
  expect(hasDesktop(platform, env)).toBe(expected);
});
