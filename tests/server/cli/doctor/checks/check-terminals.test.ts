import type { Facts } from "../../../../../src/server/cli/doctor/facts.ts";
import { descriptor, hostFile, ourEntry, terminal } from "../healthy.ts";
import { namesTroubles } from "../troubles.ts";

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
