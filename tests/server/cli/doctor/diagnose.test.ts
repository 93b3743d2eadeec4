import { describe, expect, test } from "vitest";
import { diagnose, doctorText } from "../../../../src/server/cli/doctor/doctor-command.ts";
import type { Facts } from "../../../../src/server/cli/doctor/facts.ts";
import { createPaint } from "../../../../src/server/cli/paint.ts";
import { defaultConfig } from "../../../../src/server/config/schema.ts";
import { descriptor, healthy, hostFile, ourEntry, terminal } from "./healthy.ts";

const { alerts } = defaultConfig;
const troubles = (facts: Facts) => diagnose(facts).filter(({ level }) => level !== "fine");
const withTerminal = (more: Partial<typeof terminal>): Facts["running"] => [
  { descriptor, report: { version: "0.1.0", line: "v1", pid: 42, sessions: 1, terminals: [{ ...terminal, ...more }] } },
];
const line = (more: object) => ({
  ...{
    time: "2026-01-05T10:00:00.000Z",
    pid: 1,
    t: 1,
    alert: "done",
    sessionID: "ses_a",
    channels: [],
    title: "Fix login",
  },
  ...{ outcome: "failed", reason: "no-channel" },
  ...more,
});

test("a healthy machine gives nothing but good news", () => {
  expect(troubles(healthy)).toEqual([]);
  expect(doctorText(diagnose(healthy), createPaint(false))).toMatchInlineSnapshot(`
    "✓ opencode 1.18.33 (/usr/bin/opencode)
    ✓ listed in ~/.config/opencode/opencode.json as /opt/opencode-beckon
    ✓ opencode with pid 42 runs beckon 0.1.0; terminals connected: 1
    ✓ terminal part listed in ~/.config/opencode/tui.json
    ✓ terminal 42 pts/3 reports its focus (focused)
    ✓ dunst 1.9.0 shows banners (buttons, markup)
    ✓ voice by espeak-ng
    ✓ ~/.config/opencode-beckon/config.json: no file, the defaults hold
    ✓ ~/.local/state/opencode-beckon is yours and writable
    ✓ no alert has been due yet (~/.local/state/opencode-beckon)

    Nothing is broken, 10 fine
    "
  `);
});

/** What is wrong, how bad that is, and what to paste. */
const cases: [string, Partial<Facts>, string, string, string | undefined][] = [
  [
    "no opencode at all",
    { host: undefined, running: [], hostProcesses: undefined },
    "broken",
    "no opencode found",
    "npm install --global opencode-ai",
  ],
  [
    "an old opencode",
    { host: { path: "/o", version: "1.17.9", line: "1" } },
    "broken",
    "opencode 1.17.9 is too old for beckon",
    "opencode upgrade",
  ],
  [
    "plugins switched off as a whole",
    { env: { OPENCODE_PURE: "1" } },
    "broken",
    "opencode loads no plugins at all",
    "unset OPENCODE_PURE",
  ],
  [
    "the plugin not listed",
    { files: [hostFile("terminal", { entries: [ourEntry] })] },
    "broken",
    "opencode does not load beckon",
    "beckon install",
  ],
  [
    "the plugin under the other line's key",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, key: "plugins" }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "opencode 1.x does not load beckon",
    "beckon install --line 1",
  ],
  [
    "the plugin listed twice",
    {
      files: [
        hostFile("server", { entries: [ourEntry, { ...ourEntry, spec: "opencode-beckon@0.0.9" }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "beckon is listed more than once",
    "beckon uninstall && beckon uninstall && beckon install",
  ],
  [
    "an entry that leads nowhere",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, target: { kind: "missing" } }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "beckon is listed and not there",
    "beckon install",
  ],
  [
    "an entry to a folder without a build",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, target: { kind: "unbuilt" } }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "beckon is listed and not built",
    "cd /opt/opencode-beckon && npm ci",
  ],
  [
    "a tarball without file: before it",
    {
      files: [
        hostFile("server", { entries: [{ ...ourEntry, spec: "/b-0.1.0.tgz", target: { kind: "tarball" } }] }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "opencode cannot load what is listed",
    "beckon install",
  ],
  [
    "a single file for opencode 2",
    {
      host: { path: "/o", version: "2.0.20", line: "2" },
      files: [
        hostFile("server", { entries: [{ ...ourEntry, key: "plugins", target: { kind: "file" } }] }),
        hostFile("client", { switchedOff: ["opencode.notifications"] }),
      ],
    },
    "broken",
    "opencode cannot load what is listed",
    "beckon install",
  ],
  [
    "a configuration of opencode that is no JSON",
    {
      files: [
        hostFile("server", { entries: [ourEntry], isJSON: false }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "~/.config/opencode/opencode.json is not JSON",
    "opencode --version",
  ],
  [
    "the terminal part switched off",
    {
      files: [
        hostFile("server", { entries: [ourEntry] }),
        hostFile("terminal", { entries: [ourEntry], switchedOff: ["beckon.tui"] }),
      ],
    },
    "broken",
    "beckon is listed and switched off",
    undefined,
  ],
  [
    "the terminal part missing",
    { files: [hostFile("server", { entries: [ourEntry] })], running: [] },
    "broken",
    "beckon does not know where you look: every alert is delivered",
    "beckon install --line 1",
  ],
  [
    "an opencode started before",
    { running: [], relays: [] },
    "advice",
    "opencode runs (pid 42) without beckon in it",
    undefined,
  ],
  [
    "no opencode running",
    { running: [], relays: [], hostProcesses: [] },
    "advice",
    "no opencode is running",
    undefined,
  ],
  [
    "an old copy still running",
    { version: "0.2.0" },
    "advice",
    "opencode with pid 42 runs beckon 0.1.0, this command is 0.2.0",
    undefined,
  ],
  [
    "a running opencode that does not answer",
    { running: [{ descriptor, failure: "closed with 4401" }] },
    "broken",
    "opencode with pid 42 announces itself and does not answer",
    undefined,
  ],
  [
    "a command without ws beside it",
    { running: [{ descriptor, failure: "ws is not installed beside this command", noLibrary: true }] },
    "advice",
    "opencode with pid 42 has beckon in it, and cannot be asked how it is",
    "npm install --global opencode-beckon",
  ],
  [
    "a relay's file that others may read",
    { relays: [{ id: "abcdefgh1234", path: "/r/a.json", problem: "loose" }] },
    "broken",
    "terminals refuse to connect to a running opencode",
    "chmod 600 /r/a.json",
  ],
  [
    "a terminal that never told its focus",
    { running: withTerminal({ focus: "unknown" }) },
    "advice",
    "terminal 42 pts/3 never told whether it has the focus, so it silences nothing",
    undefined,
  ],
  [
    "tmux without focus-events",
    { tmux: { version: "3.3a", focusEvents: false, passthrough: true } },
    "broken",
    "tmux does not tell opencode when you go to another pane or window",
    "tmux set-option -g focus-events on\necho 'set -g focus-events on' >> ~/.tmux.conf",
  ],
  [
    "tmux without passthrough",
    { tmux: { version: "3.3a", focusEvents: true, passthrough: false } },
    "advice",
    "alerts raised by the terminal itself do not get through tmux",
    "tmux set-option -g allow-passthrough on\necho 'set -g allow-passthrough on' >> ~/.tmux.conf",
  ],
  [
    "zellij",
    { env: { ZELLIJ: "0" } },
    "advice",
    "zellij tells about panes, not about its tabs",
    "beckon config set alerts.focus.suppress none",
  ],
  ["ssh", { env: { SSH_CONNECTION: "1 2 3 4" } }, "advice", "this machine's desktop is not where you sit", undefined],
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
  [
    "opencode's own attention",
    {
      files: [
        hostFile("server", { entries: [ourEntry] }),
        hostFile("terminal", { entries: [ourEntry], attention: true }),
      ],
    },
    "broken",
    "opencode calls you too, beside beckon",
    "beckon install --native-attention-off",
  ],
  [
    "opencode 2's own notifier",
    {
      host: { path: "/o", version: "2.0.20", line: "2" },
      files: [hostFile("server", { entries: [{ ...ourEntry, key: "plugins" }] })],
    },
    "advice",
    "opencode 2 may call you too, beside beckon",
    "beckon install --native-attention-off",
  ],
  [
    "another notifier",
    {
      files: [
        hostFile("server", {
          entries: [
            ourEntry,
            { key: "plugin", spec: "@mohak34/opencode-notifier@latest", ours: false, target: undefined },
          ],
        }),
        hostFile("terminal", { entries: [ourEntry] }),
      ],
    },
    "broken",
    "another plugin calls you for the same things: @mohak34/opencode-notifier@latest",
    "beckon config import opencode-notifier",
  ],
  [
    "a typo in the configuration",
    {
      config: {
        ...healthy.config,
        problems: [
          'alerts.don (line 3, column 5): expected one of the keys …, found an unknown key; did you mean "done"?',
        ],
      },
    },
    "broken",
    "~/.config/opencode-beckon/config.json is not in force",
    "beckon config check",
  ],
  [
    "a state folder that cannot be written",
    {
      folders: { ...healthy.folders, state: { path: "/home/ann/.local/state/opencode-beckon", state: "not-writable" } },
    },
    "broken",
    "decisions are not written down, and mute does not work",
    "chmod u+rwx /home/ann/.local/state/opencode-beckon",
  ],
  [
    "a folder with a blank in its name, so that the line can be pasted",
    { folders: { ...healthy.folders, state: { path: "/home/ann/it's my state", state: "loose" } } },
    "advice",
    "others on this machine can read what beckon writes down",
    `chmod 700 '/home/ann/it'\\''s my state'`,
  ],
  [
    "a journal that belongs to somebody else, as after opencode was run by sudo",
    { journalProblem: "/home/ann/.local/state/opencode-beckon/journal.jsonl: permission denied" },
    "broken",
    "decisions are not written down: beckon why knows none",
    "mv /home/ann/.local/state/opencode-beckon/journal.jsonl /home/ann/.local/state/opencode-beckon/journal.jsonl.old",
  ],
  [
    "a runtime folder that cannot be written",
    { folders: { ...healthy.folders, runtime: { path: "/run/user/1000/opencode-beckon", state: "not-writable" } } },
    "broken",
    "terminals may not find a running opencode",
    "chmod u+rwx /run/user/1000/opencode-beckon",
  ],
  [
    "a runtime folder that cannot be made",
    {
      folders: {
        ...healthy.folders,
        runtime: { path: "/run/user/1000/opencode-beckon", state: "not-writable", above: "/run/user/1000" },
        systemRuntime: { path: "/run/user/1000", state: "not-writable" },
      },
    },
    "broken",
    "terminals may not find a running opencode",
    "chmod u+rwx /run/user/1000",
  ],
  [
    "a runtime folder on a disk that is mounted read-only",
    { folders: { ...healthy.folders, runtime: { path: "/run/user/1000/opencode-beckon", state: "read-only" } } },
    "broken",
    "terminals may not find a running opencode",
    "export BECKON_RUNTIME_DIR=/tmp/opencode-beckon-$(id -u)",
  ],
  [
    "a wrong XDG_RUNTIME_DIR",
    { folders: { ...healthy.folders, systemRuntime: { path: "/run/user/0", state: "foreign" } } },
    "broken",
    "XDG_RUNTIME_DIR does not lead to a folder of yours",
    "export XDG_RUNTIME_DIR=/run/user/$(id -u)",
  ],
  [
    "a relay address without a token",
    { env: { BECKON_RELAY: "ws://127.0.0.1:7777/focus" } },
    "broken",
    "BECKON_RELAY is set and cannot be used",
    "export BECKON_RELAY='ws://127.0.0.1:7777/focus#TOKEN'",
  ],
  ["an alert that reached nobody", { decisions: [line({})] }, "broken", "the last alert reached nobody", "beckon test"],
];

describe("the doctor names", () => {
  test.each(cases)("%s", (_name, change, level, symptom, paste) => {
    const found = troubles({ ...healthy, ...change }).find((finding) => finding.symptom === symptom);
    expect(troubles({ ...healthy, ...change }).map((finding) => finding.symptom)).toContain(symptom);
    expect(found?.level).toBe(level);
    expect(found?.paste).toBe(paste);
  });

  test.each(cases)("nothing else when the only trouble is %s", (name, change, _level, symptom) => {
    const others = troubles({ ...healthy, ...change }).filter((finding) => finding.symptom !== symptom);
    const alsoTrue: Record<string, number> = {
      "no opencode at all": 1, // nothing runs either
      "the terminal part missing": 1,
      "macOS with a better program": 0,
    };
    expect(others.map((finding) => finding.symptom)).toHaveLength(alsoTrue[name] ?? 0);
  });
});

test("every trouble has a cause, and every broken thing a way out", () => {
  for (const [, change] of cases) {
    for (const finding of troubles({ ...healthy, ...change })) {
      expect(finding.cause, finding.symptom).toBeTruthy();
      if (finding.symptom !== "no banners on this system") expect(finding.fix, finding.symptom).toBeTruthy();
    }
  }
});

test.each([
  ["file:/home/ann/opencode-beckon-0.1.0.tgz", "tarball"],
  ["/opt/opencode-beckon/index.js", "file"],
] as const)("on opencode 1.x %s is as good as the folder", (spec, kind) => {
  const server = hostFile("server", { entries: [{ ...ourEntry, spec, target: { kind } }] });
  expect(troubles({ ...healthy, files: [server, hostFile("terminal", { entries: [ourEntry] })] })).toEqual([]);
});

test("an alert that was taken after one that was not is good news", () => {
  const decisions = [
    line({}),
    line({ outcome: "delivered", reason: "unattended", channels: ["banner"] }),
    line({ outcome: "silent" }),
  ];
  expect(troubles({ ...healthy, decisions })).toEqual([]);
});

test("over ssh, or without a desktop, a missing bus is no fault", () => {
  const facts: Facts = { ...healthy, hasDesktop: false, daemon: { state: "no-bus", detail: "none" } };
  expect(troubles(facts)).toMatchObject([
    { level: "advice", symptom: "no banner can be shown: there is no session bus" },
  ]);
});

test("a mute is named with the way to end it", () => {
  expect(troubles({ ...healthy, mutedUntil: Date.now() + 60_000 })).toMatchObject([
    { level: "advice", symptom: expect.stringContaining("muted until"), paste: "beckon mute off" },
  ]);
});
