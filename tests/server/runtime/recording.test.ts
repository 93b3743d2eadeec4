import { describe, expect, test } from "vitest";
import { defaultConfig } from "../../../src/server/config/schema.ts";
import { ensureSession } from "../../../src/server/core/family.ts";
import { newState } from "../../../src/server/core/state.ts";
import type { Presence } from "../../../src/server/focus/presence.ts";
import { parseTrace } from "../../../src/server/replay/parse-trace.ts";
import { createRecording } from "../../../src/server/runtime/recording.ts";
import type { FocusReport } from "../../../src/shared/focus.ts";
import { createHandCrankedClock } from "../../fakes/hand-cranked-clock.ts";

function stage(line: "v1" | "v2" = "v1") {
  const clock = createHandCrankedClock();
  const state = newState({ now: clock.now(), wall: clock.wall() });
  let presence: Presence = new Map();
  let mutedUntil: number | undefined;
  const recording = createRecording({
    clock,
    line,
    platform: "linux",
    directories: () => ["/project"],
    config: () => defaultConfig,
    mutedUntil: () => mutedUntil,
    sessions: () => state.sessions.values(),
    presence: () => presence,
  });
  const lines: string[] = [];
  return {
    clock,
    state,
    recording,
    lines,
    told: () => lines.map((text): { [key: string]: unknown } => JSON.parse(text)),
    start: () => recording.start((text) => void lines.push(text)),
    mute: (until: number) => {
      mutedUntil = until;
    },
    /** A terminal reports. */
    report(id: string, report: FocusReport) {
      const seq = (presence.get(id)?.seq ?? 0) + 1;
      const reportedAt = { now: clock.now(), wall: clock.wall() };
      presence = new Map(presence).set(id, {
        id,
        name: id,
        seq,
        report,
        reportedAt,
        abilities: { notify: ["osc9"], ssh: false },
      });
      recording.presenceChanged();
    },
    leave(id: string) {
      const rest = new Map(presence);
      rest.delete(id);
      presence = rest;
      recording.presenceChanged();
    },
  };
}

const heard = (id: string, sessionID = "ses_a") => ({ sessionID, id, events: [{ kind: "started" as const }] });

describe("a recording", () => {
  test("begins with what was so before, and is a trace from its first line on", () => {
    const { recording, state, lines, told, start, mute, clock } = stage();
    mute(clock.wall() + 60_000);
    Object.assign(ensureSession(state, "ses_child", clock.now()), {
      title: "Child",
      parentID: "ses_a",
      directory: "/project",
    });
    start();
    clock.advance(250);
    recording.overhear(
      { kind: "event", event: { id: "evt_1", type: "session.idle", properties: { sessionID: "ses_a" } } },
      heard("evt_1"),
    );
    expect(told().map(({ kind, t }) => [kind, t])).toEqual([
      ["meta", 0],
      ["mute", 0],
      ["session", 0],
      ["event", 250],
    ]);
    expect(told()[2]).toMatchObject({ session: { id: "ses_child", parentID: "ses_a", directory: "/project" } });
    expect(parseTrace(lines.join("\n"))).toMatchObject({ ok: true });
  });

  test("gives an answer the moment of the last word about its session, not its own", () => {
    const { recording, told, start, clock } = stage();
    start();
    clock.advance(100);
    recording.overhear({ kind: "event", event: {} }, heard("evt_1"));
    clock.advance(400);
    recording.overhear({ kind: "messages", sessionID: "ses_a", messages: [] });
    recording.overhear({ kind: "missing", sessionID: "ses_never_heard" });
    expect(told().slice(1)).toEqual([
      { t: 100, kind: "event", event: {} },
      { t: 100, kind: "messages", sessionID: "ses_a", messages: [] },
      { t: 0, kind: "session", sessionID: "ses_never_heard", missing: true },
    ]);
  });

  test("has an event once, however many instances hear it", () => {
    const { recording, told, start } = stage("v2");
    start();
    for (let instance = 0; instance < 3; instance++)
      recording.overhear({ kind: "event", event: { id: "evt_1" } }, heard("evt_1"));
    expect(told().filter(({ kind }) => kind === "event")).toHaveLength(1);
  });

  test("tells what somebody did at a terminal: came, looked, typed, turned away, left", () => {
    const { told, start, report, leave, clock } = stage();
    start();
    report("tty1", { focus: "unknown", view: { type: "home" }, idleMs: 0 });
    report("tty1", { focus: "focused", view: { type: "session", sessionID: "ses_a", rootID: "ses_a" }, idleMs: 0 });
    clock.advance(10_000);
    report("tty1", {
      focus: "focused",
      view: { type: "session", sessionID: "ses_a", rootID: "ses_a" },
      idleMs: 10_000,
    });
    report("tty1", { focus: "focused", view: { type: "session", sessionID: "ses_a", rootID: "ses_a" }, idleMs: 0 });
    report("tty1", { focus: "blurred", view: { type: "session", sessionID: "ses_a", rootID: "ses_a" }, idleMs: 5 });
    leave("tty1");
    expect(
      told()
        .slice(1)
        .map(({ op, view }) => [op, view]),
    ).toEqual([
      ["attach", undefined],
      ["view", { type: "session", sessionID: "ses_a" }],
      ["focus", undefined],
      ["input", undefined],
      ["blur", undefined],
      ["drop", undefined],
    ]);
  });

  test("names the terminals that are there already", () => {
    const { told, start, report } = stage();
    report("tty1", { focus: "focused", view: { type: "home" }, idleMs: 0 });
    start();
    expect(
      told()
        .slice(1)
        .map(({ tui, op }) => [tui, op]),
    ).toEqual([
      ["tty1", "attach"],
      ["tty1", "focus"],
    ]);
  });

  test("cuts texts no decision is made of, and never sends a line longer than a frame", () => {
    const { recording, lines, start } = stage();
    start();
    const parts = Array.from({ length: 100 }, () => ({ text: "x".repeat(100_000) }));
    recording.overhear({ kind: "messages", sessionID: "ses_a", messages: [{ parts }] });
    const wide = Array.from({ length: 2_000 }, () => ({ text: "x".repeat(2_000) }));
    recording.overhear({ kind: "messages", sessionID: "ses_a", messages: wide });
    expect(lines).toHaveLength(2);
    expect(lines[1]?.length).toBeLessThan(250_000);
  });

  test("makes nothing and keeps nothing while nobody records", () => {
    const { recording, lines, start } = stage();
    const stop = start();
    const begun = lines.length;
    stop();
    recording.overhear({ kind: "event", event: {} }, heard("evt_1"));
    recording.called("beckon_notify_user", {}, "ses_a");
    recording.presenceChanged();
    expect(lines).toHaveLength(begun);
  });
});

test("no private text leaves for whoever records, and equal titles and places stay equal", () => {
  const { recording, lines, start, told } = stage();
  start();
  const session = { id: "ses_a", title: "PRIVATE title", directory: "/home/PRIVATE/project" };
  recording.overhear({ kind: "session", sessionID: "ses_a", session });
  recording.overhear({ kind: "session", sessionID: "ses_a", session: { ...session, id: "ses_b" } });
  const part = { id: "prt_1", sessionID: "ses_a", messageID: "msg_1", type: "text", text: "PRIVATE prompt" };
  recording.overhear({ kind: "event", event: { type: "message.part.updated", properties: { part } } });
  const state = { status: "completed", input: { command: "PRIVATE command" }, output: "PRIVATE output" };
  const tool = { ...part, type: "tool", text: undefined, callID: "call_1", tool: "bash", state };
  recording.overhear({ kind: "event", event: { type: "message.part.updated", properties: { part: tool } } });
  const messages = [{ info: { id: "msg_1", role: "user" }, parts: [part] }];
  recording.overhear({ kind: "messages", sessionID: "ses_a", messages });
  recording.called("beckon_notify_user", { mode: "both", message: "PRIVATE message", title: "PRIVATE" }, "ses_a");
  expect(lines.length).toBe(7);
  expect(lines.filter((line) => line.includes("PRIVATE"))).toEqual([]);
  expect(told().flatMap((line) => (line.kind === "session" ? [line.session] : []))).toEqual([
    { id: "ses_a", title: "Title 1", directory: "/project-2" },
    { id: "ses_b", title: "Title 1", directory: "/project-2" },
  ]);
  expect(lines.join()).toContain('"tool":"bash"');
});
