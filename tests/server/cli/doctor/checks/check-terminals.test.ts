import { expect, test } from "vitest";
import type { Facts } from "../../../../../src/server/cli/doctor/facts.ts";
import { descriptor, healthy, hostFile, ourEntry, terminal } from "../healthy.ts";
import { namesTroubles, troubles } from "../troubles.ts";

const withTerminal = (more: Partial<typeof terminal>): Facts["running"] => [
  { descriptor, report: { version: "0.1.0", line: "v1", pid: 42, sessions: 1, terminals: [{ ...terminal, ...more }] } },
];

namesTroubles([
  [
    "the terminal part missing",
    { files: [hostFile("server", { entries: [ourEntry] })], running: [] },
    "broken",
    "beckon does not know where you look: every alert is delivered",
    "beckon install --line 1",
    1,
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
]);

test("where nothing lists beckon, only that is said: one installation mends both parts", () => {
  const nothing = { files: [], running: [], relays: [], hostProcesses: [] };
  expect(troubles({ ...healthy, ...nothing }).map(({ symptom }) => symptom)).toEqual([
    "opencode does not load beckon",
    "no opencode is running",
  ]);
});

test("a terminal inside a tmux that passes no focus on is silent because of that", () => {
  const tmux = { version: "3.3a", focusEvents: false, passthrough: true };
  const found = troubles({ ...healthy, running: withTerminal({ focus: "unknown" }), tmux });
  expect(found.map(({ cause }) => cause)).toContain("tmux passes no focus on");
});

test("an ssh login is known by its terminal, too", () => {
  expect(troubles({ ...healthy, env: { SSH_TTY: "/dev/pts/1" } })).toMatchObject([{ check: "ssh", level: "advice" }]);
});
