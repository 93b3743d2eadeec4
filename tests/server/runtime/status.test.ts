import { expect, test } from "vitest";
import { type StatusFacts, statusLines, statusOf } from "../../../src/server/runtime/status.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";
import { createFakeTerminals } from "../../fakes/terminals.ts";

const clock = createHandCrankedClock();
const facts = (more: Partial<StatusFacts> = {}): StatusFacts => ({
  line: "v1",
  pid: 42,
  configPath: "/home/user/.config/opencode-beckon/config.json",
  configProblem: undefined,
  mutedUntil: undefined,
  nativeAttention: undefined,
  sessions: 1,
  presence: new Map(),
  at: { now: clock.now(), wall: clock.wall() },
  decisions: [],
  ...more,
});
const words = (more: Partial<StatusFacts> = {}) =>
  statusLines(statusOf(facts(more))).map((line) => line.replace(/beckon \S+ on/, "beckon VERSION on"));

test("a quiet server says that it is there, and that nothing holds alerts back", () => {
  expect(words()).toEqual([
    "opencode-beckon VERSION on opencode 1.18, pid 42, 1 session known",
    "configuration: /home/user/.config/opencode-beckon/config.json",
    "no terminal reports focus: every alert is delivered",
    "no decisions yet",
  ]);
});

test("a configuration that is not in force says why", () => {
  expect(words({ configProblem: "line 3: unknown key bannr" })).toContain(
    "configuration NOT in force: line 3: unknown key bannr",
  );
});

test("a mute is told while it lasts", () => {
  const at = { now: 0, wall: Date.UTC(2026, 0, 5, 10) };
  expect(words({ at, mutedUntil: at.wall + 60_000 })).toContain("muted until 2026-01-05T10:01:00.000Z");
  expect(words({ at, mutedUntil: at.wall - 1 }).join()).not.toContain("muted");
});

test("that opencode itself calls the person is told once, with what ends it", () => {
  const nativeAttention = {
    path: "/home/user/.config/opencode/tui.json",
    off: "beckon install --native-attention-off",
  };
  expect(words({ nativeAttention }).filter((line) => line.includes("attention"))).toEqual([
    "opencode calls you too: its own attention is on in /home/user/.config/opencode/tui.json; to switch it off: beckon install --native-attention-off",
  ]);
});

test("each terminal says what it shows and when it was last used", () => {
  const terminals = createFakeTerminals(clock);
  terminals.shows("T1", "ses_S");
  terminals.report("T2", { focus: "unknown", idleMs: 90_400 });
  expect(words({ presence: terminals.presence(), sessions: 2, line: "v2" })).toEqual([
    "opencode-beckon VERSION on opencode 2, pid 42, 2 sessions known",
    expect.any(String),
    "2 terminals:",
    "  T1: focused, shows ses_S, last used 0 s ago",
    "  T2: unknown, shows home, last used 90 s ago",
    "no decisions yet",
  ]);
});

test("the newest five decisions are told, oldest first, with their reasons", () => {
  const decisions: StatusFacts["decisions"] = [1, 2, 3, 4, 5, 6].map((minute) => ({
    time: `2026-01-05T10:0${minute}:00.000Z`,
    alert: "done",
    sessionID: "ses_S",
    outcome: "suppressed",
    reason: "attended",
    channels: [],
    ...(minute === 6 ? { title: "Fix login", by: "T1", hidden: ["locked"] } : {}),
  }));
  const lines = words({ decisions });
  expect(lines.slice(3)).toEqual([
    "last decisions:",
    ...[2, 3, 4, 5].map((minute) => `  2026-01-05T10:0${minute}:00.000Z done ses_S: suppressed, attended`),
    "  2026-01-05T10:06:00.000Z done Fix login: suppressed, attended (T1, locked)",
  ]);
});
