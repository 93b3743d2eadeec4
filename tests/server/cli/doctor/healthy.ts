import type { Facts } from "../../../../src/server/cli/doctor/facts.ts";
import type { HostFileFacts } from "../../../../src/server/cli/doctor/gather-host-files.ts";
import { defaultConfig } from "../../../../src/server/config/schema.ts";
import type { Descriptor } from "../../../../src/shared/rendezvous.ts";

const names = { server: "opencode.json", terminal: "tui.json", client: "cli.json", loose: "plugins/beckon.js" };

export const hostFile = (role: HostFileFacts["role"], more: Partial<HostFileFacts> = {}): HostFileFacts => ({
  role,
  path: `/home/ann/.config/opencode/${names[role]}`,
  isJSON: true,
  entries: [],
  switchedOff: [],
  attention: undefined,
  attentionNotifications: undefined,
  ...more,
});

export const ourEntry = {
  key: "plugin",
  spec: "/opt/opencode-beckon",
  ours: true,
  target: { kind: "folder", version: "0.1.0" },
} as const;

export const descriptor: Descriptor = {
  url: "ws+unix:///run/user/1000/opencode-beckon/relays/0123456789abcdef.sock:/focus",
  token: "t",
  pid: 42,
  startedAt: 0,
  line: "v1",
  directories: ["/home/ann/project"],
  protocol: 1,
};

export const terminal = { name: "42 pts/3", focus: "focused", view: "session", sessionID: "ses_a", idleMs: 5 };

/** A machine on which everything is as it should be. */
export const healthy: Facts = {
  platform: "linux",
  env: {},
  home: "/home/ann",
  version: "0.1.0",
  host: { path: "/usr/bin/opencode", version: "1.18.33", line: "1" },
  hostProcesses: [42],
  files: [hostFile("server", { entries: [ourEntry] }), hostFile("terminal", { entries: [ourEntry] })],
  relays: [{ id: "abcdefgh1234", path: "/run/user/1000/opencode-beckon/relays/abcdefgh1234.json", descriptor }],
  running: [{ descriptor, report: { version: "0.1.0", line: "v1", pid: 42, sessions: 1, terminals: [terminal] } }],
  tmux: undefined,
  hasDesktop: true,
  daemon: {
    state: "answers",
    name: "dunst",
    version: "1.9.0",
    capabilities: ["actions", "body-markup"],
    doNotDisturb: false,
  },
  programs: new Set(["notify-send", "espeak-ng"]),
  config: { path: "/home/ann/.config/opencode-beckon/config.json", value: defaultConfig, problems: [] },
  folders: {
    state: { path: "/home/ann/.local/state/opencode-beckon", state: "good" },
    runtime: { path: "/run/user/1000/opencode-beckon", state: "good" },
    systemRuntime: { path: "/run/user/1000", state: "good" },
    configFile: { path: "/home/ann/.config/opencode-beckon/config.json", state: "missing" },
    logs: [
      { path: "/home/ann/.local/state/opencode-beckon/beckon.log", state: "missing" },
      { path: "/home/ann/.local/state/opencode-beckon/terminal.log", state: "missing" },
    ],
  },
  mutedUntil: undefined,
  decisions: [],
  changes: [],
  journalProblem: undefined,
};
