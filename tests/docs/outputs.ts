import { diagnose, doctorText } from "../../src/server/cli/doctor/doctor-command.ts";
import { createPaint } from "../../src/server/cli/paint.ts";
import { statusText } from "../../src/server/cli/status/status-text.ts";
import { deliveryWords } from "../../src/server/cli/test/delivery-words.ts";
import { dayLine, whyLine } from "../../src/server/cli/why/why-line.ts";
import { defaultConfig } from "../../src/server/config/schema.ts";
import type { JournalEntry } from "../../src/server/journal/read-journal.ts";
import { createBench } from "../server/cli/command-bench.ts";
import { descriptor, healthy, terminal } from "../server/cli/doctor/healthy.ts";

const plain = createPaint(false);

const entry = (time: string, more: Partial<JournalEntry>): JournalEntry => ({
  ...{ time: `2026-01-05T${time}.000Z`, pid: 42, t: 0, alert: "done", sessionID: "ses_1", title: "Fix login" },
  ...{ outcome: "silent", reason: "no-real-work", channels: [] },
  ...more,
});

/** A morning of somebody who is called twice. */
const morning: readonly JournalEntry[] = [
  entry("09:12:04", {}),
  entry("09:31:40", { outcome: "suppressed", reason: "attended", by: "pid 4242 on pts/3" }),
  entry("09:58:17", {
    alert: "pause",
    outcome: "delivered",
    reason: "unattended",
    channels: ["banner"],
    requestID: "per_1",
  }),
  entry("09:58:52", {
    alert: "pause",
    outcome: "withdrawn",
    reason: "answered",
    channels: ["banner"],
    requestID: "per_1",
  }),
  entry("10:05:03", { outcome: "silent", reason: "aborted" }),
  entry("10:20:45", {
    outcome: "delivered",
    reason: "unattended",
    channels: ["banner"],
    title: "Write docs",
    sessionID: "ses_2",
  }),
];

const installed = async (line: "1" | "2"): Promise<string> => {
  using bench = createBench();
  bench.program("opencode", line === "1" ? "echo 1.18.33" : "echo 2.0.20");
  bench.write(".config/opencode/opencode.json", '{\n  // my model\n  "model": "anthropic/claude"\n}\n');
  const { out } = await bench.run(["install"], { packageRoot: "/usr/lib/node_modules/opencode-beckon" });
  return out.replace("ROOT/bin/opencode", "/usr/bin/opencode").replace(/json\.[0-9a-f]{8}/, "json.4ba55657");
};

const brokenTmux = {
  ...healthy,
  tmux: { version: "3.3a", focusEvents: false, passthrough: true },
  config: {
    ...healthy.config,
    problems: [
      'alerts.dnoe (line 3, column 5): expected one of the keys pause, done, error, found an unknown key; did you mean "done"?',
    ],
  },
};

/** What the pages show is what the command prints: by the name in the comment above a block. */
export const outputs: Readonly<Record<string, () => string | Promise<string>>> = {
  "install for 1.x": () => installed("1"),
  "install for 2.x": () => installed("2"),
  "doctor, all well": () => doctorText(diagnose(healthy), plain),
  "doctor, two broken": () =>
    doctorText(
      diagnose(brokenTmux).filter(({ level }) => level !== "fine"),
      plain,
    ),
  why: () => dayLine(morning[0] ?? entry("00:00:00", {}), plain) + morning.map((line) => whyLine(line, plain)).join(""),
  status: () =>
    statusText(
      {
        running: [
          {
            descriptor,
            report: {
              version: "0.1.0",
              line: "v1",
              pid: 42,
              sessions: 2,
              terminals: [{ ...terminal, name: "pid 4242 on pts/3", sessionID: "ses_1" }],
            },
          },
        ],
        mutedUntil: undefined,
        decisions: morning.slice(-2),
        idleSeconds: defaultConfig.alerts.focus.idleSeconds,
        home: "/home/ann",
      },
      plain,
    ),
  "test, accepted": () =>
    "«beckon test: Work finished · 3 min 12 s»\n" +
    `  banner    ${deliveryWords("banner", { ok: true, outlet: "dbus", certainty: "accepted" })}\n` +
    "Accepted is not seen: whether it was shown, only you can tell. If not: beckon doctor\n",
};
