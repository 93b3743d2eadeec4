import { expect, test } from "vitest";
import type { Facts } from "../../../../../src/server/cli/doctor/facts.ts";
import { defaultConfig } from "../../../../../src/server/config/schema.ts";
import { healthy } from "../healthy.ts";
import { namesTroubles, troubles } from "../troubles.ts";

const { alerts } = defaultConfig;

namesTroubles([
  [
    "no session bus",
    { daemon: { state: "no-bus", detail: "no bus address in the environment" } },
    "broken",
    "no banner can be shown: there is no session bus",
    "export XDG_RUNTIME_DIR=/run/user/$(id -u) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus",
  ],
  [
    "notify-send only",
    { daemon: { state: "no-library" } },
    "advice",
    "banners go by notify-send only: a click does nothing, and an old one cannot be replaced",
    "npm install --global opencode-beckon",
  ],
  [
    "neither bus library nor notify-send",
    { daemon: { state: "no-library" }, programs: new Set(["espeak-ng"]) },
    "broken",
    "no banner can be shown: neither dbus-native nor notify-send is there",
    "sudo apt install libnotify-bin",
  ],
  [
    "no notification daemon",
    { daemon: { state: "nobody" } },
    "broken",
    "no banner can be shown: no notification daemon runs",
    "sudo apt install dunst && dunst &",
  ],
  [
    "a daemon that hangs",
    { daemon: { state: "silent" } },
    "broken",
    "banners hang: the notification daemon does not answer",
    undefined,
  ],
  [
    "do-not-disturb",
    { daemon: { state: "answers", name: "dunst", version: "1", capabilities: [], doNotDisturb: true } },
    "advice",
    "banners are held back: do-not-disturb is on",
    "beckon config set alerts.pause.mode both",
  ],
  [
    "macOS, where nobody tells whether a banner is allowed",
    { platform: "darwin", programs: new Set(["say"]) },
    "advice",
    "macOS shows banners only when Script Editor may",
    "beckon test",
  ],
  [
    "macOS with a better program",
    { platform: "darwin", programs: new Set(["say", "alerter"]) },
    "advice",
    "macOS shows banners only when alerter may",
    "beckon test",
  ],
  [
    "WSL without interop",
    { platform: "wsl", daemon: undefined },
    "broken",
    "no toast can be shown: powershell.exe is not on PATH",
    "[interop]\nenabled = true\nappendWindowsPath = true",
  ],
  ["a system nobody knows", { platform: "other" }, "broken", "no banners on this system", undefined],
  [
    "no voice, and only the model may want one",
    { programs: new Set(["notify-send"]) },
    "advice",
    "nothing here can speak",
    "sudo apt install espeak-ng",
  ],
  [
    "no voice, and alerts want one",
    {
      programs: new Set(["notify-send"]),
      config: {
        ...healthy.config,
        value: { ...defaultConfig, alerts: { ...alerts, done: { ...alerts.done, mode: "voice" } } },
      },
    },
    "broken",
    "nothing here can speak",
    "sudo apt install espeak-ng",
  ],
  [
    "no player, and alerts want a sound",
    { config: { ...healthy.config, value: { ...defaultConfig, alerts: { ...alerts, sound: true } } } },
    "broken",
    "nothing here can play a sound",
    "sudo apt install pipewire-bin",
  ],
]);

test("over ssh, or without a desktop, a missing bus is no fault", () => {
  const facts: Facts = { ...healthy, hasDesktop: false, daemon: { state: "no-bus", detail: "none" } };
  expect(troubles(facts)).toMatchObject([
    { level: "advice", symptom: "no banner can be shown: there is no session bus" },
  ]);
});
