import { describe, expect, test } from "vitest";
import { parseTrace } from "../../../src/server/replay/parse-trace.ts";

const meta = { t: 0, kind: "meta", format: 1, line: "v1", directory: "/project" };
const lines = (...each: unknown[]) =>
  each.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
const complaint = (source: string): string => {
  const parsed = parseTrace(source);
  return parsed.ok ? "nothing" : `${parsed.error.line}: ${parsed.error.what}`;
};
const about = (line: unknown): string => complaint(lines(meta, line));

describe("a good trace", () => {
  const good = [
    { t: 0, kind: "event", event: { type: "x" } },
    { t: 1, kind: "hook", hook: "chat.message", input: {}, output: {} },
    { t: 1, kind: "hook", hook: "session.prompt", input: {} },
    { t: 2, kind: "session", session: { id: "S", anything: 1 } },
    { t: 2, kind: "session", sessionID: "S", missing: true },
    { t: 3, kind: "messages", sessionID: "S", messages: [], delayMs: 5 },
    { t: 3, kind: "messages", sessionID: "S", error: "gone" },
    { t: 4, kind: "pending", sessionID: "S", permissions: ["p1"] },
    { t: 5, kind: "tui", tui: "T1", op: "attach", terminal: { notify: ["osc9"], ssh: true } },
    { t: 5, kind: "tui", tui: "T1", op: "view", view: { type: "session", sessionID: "S" } },
    { t: 5, kind: "tui", tui: "T1", op: "focus" },
    { t: 6, kind: "config", text: "{ broken" },
    { t: 6, kind: "config", remove: true },
    { t: 7, kind: "channel", channel: "banner", result: "hang" },
    { t: 8, kind: "sleep", ms: 5 },
    { t: 9, kind: "call", tool: "beckon_status", args: {}, sessionID: "S" },
    { t: 10, kind: "mute", ms: 5 },
    { t: 11, kind: "mute", off: true },
    { t: 12, kind: "end" },
  ];

  test.each(good)("may have %j", (line) => {
    expect(about(line)).toBe("nothing");
  });

  test("gives its lines in order, and what meta does not say", () => {
    const parsed = parseTrace(lines(meta, ...good));
    expect(parsed).toMatchObject({
      ok: true,
      value: { meta: { platform: "linux", startedAt: "2026-01-05T10:00:00Z", timeZone: "UTC" } },
    });
    expect(parsed.ok && parsed.value.lines).toHaveLength(good.length);
  });

  test("may have blank lines, a byte order mark and the line ends of Windows", () => {
    expect(complaint(`\uFEFF${lines(meta)}\r\n\r\n  \n${lines({ t: 0, kind: "end" })}\r\n`)).toBe("nothing");
  });
});

describe("the first line", () => {
  test.each([
    ["", "1: expected a line of kind meta, found an empty file"],
    ["\n \n", "1: expected a line of kind meta, found an empty file"],
    [lines({ t: 0, kind: "end" }), '1: the first line must be of kind meta, found "end"'],
    [lines("", "", { t: 0, kind: "end" }), '3: the first line must be of kind meta, found "end"'],
    [lines({ ...meta, format: 2 }), "1: meta: format: expected 1"],
    [lines({ ...meta, line: "v3" }), "1: meta: line: expected v1, v2"],
    [lines({ ...meta, directory: 7 }), "1: meta: directory: expected string"],
    [lines({ ...meta, platform: "amiga" }), "1: meta: platform: expected linux, darwin, win32, wsl"],
    [lines({ ...meta, startedAt: "noon" }), "1: meta: startedAt: expected a time as ISO 8601"],
    [lines({ ...meta, timeZone: "Mars/Olympus" }), "1: meta: timeZone: expected a time zone such as Europe/Berlin"],
    [lines({ ...meta, colour: "red" }), "1: meta: unknown key colour"],
    [lines({ ...meta, t: -1 }), expect.stringMatching(/^1: meta: t: /)],
    [lines({ kind: "meta" }), expect.stringMatching(/^1: meta: /)],
  ])("%j", (source, expected) => {
    expect(complaint(source)).toEqual(expected);
  });

  test("is the only one of its kind", () => {
    expect(about(meta)).toBe("2: a second line of kind meta");
  });
});

describe("a malformed line", () => {
  test.each<[unknown, unknown]>([
    ["{ not json", expect.stringMatching(/^2: not JSON: /)],
    ['{"t":0,"kind":"end"} trailing', expect.stringMatching(/^2: not JSON: /)],
    ["7", "2: expected an object with a kind"],
    ["null", "2: expected an object with a kind"],
    ["[]", "2: expected an object with a kind"],
    [{ t: 0 }, "2: expected an object with a kind"],
    [{ t: 0, kind: 7 }, "2: expected an object with a kind"],
    [{ t: 0, kind: "dance" }, '2: unknown kind "dance"'],
    [{ kind: "end" }, "2: end: t: expected number"],
    [{ t: "soon", kind: "end" }, "2: end: t: expected number"],
    [{ t: 1.5, kind: "end" }, "2: end: t: expected int"],
    [{ t: -1, kind: "end" }, expect.stringMatching(/^2: end: t: /)],
    [{ t: 0, kind: "end", why: "x" }, "2: end: unknown key why"],
    [{ t: 0, kind: "event" }, "2: event: expected event"],
    [{ t: 0, kind: "hook", hook: "chat.message" }, "2: hook: expected input"],
    [{ t: 0, kind: "call", tool: "x", sessionID: "S" }, "2: call: expected args"],
    [{ t: 0, kind: "hook", input: {} }, "2: hook: hook: expected string"],
    [{ t: 0, kind: "session" }, "2: session: expected session, or sessionID with missing: true"],
    [{ t: 0, kind: "session", sessionID: "S" }, "2: session: expected session, or sessionID with missing: true"],
    [{ t: 0, kind: "session", missing: true }, "2: session: expected session, or sessionID with missing: true"],
    [{ t: 0, kind: "session", session: {} }, "2: session: session.id: expected string"],
    [{ t: 0, kind: "messages", sessionID: "S" }, "2: messages: expected messages or error"],
    [{ t: 0, kind: "messages", messages: [] }, "2: messages: sessionID: expected string"],
    [{ t: 0, kind: "messages", sessionID: "S", messages: {} }, "2: messages: messages: expected array"],
    [{ t: 0, kind: "pending", sessionID: "S" }, "2: pending: permissions: expected array"],
    [{ t: 0, kind: "tui", op: "focus" }, "2: tui: tui: expected string"],
    [
      { t: 0, kind: "tui", tui: "T1", op: "jump" },
      "2: tui: op: expected attach, detach, drop, hang, resume, focus, blur, view, input",
    ],
    [{ t: 0, kind: "tui", tui: "T1", op: "view" }, "2: tui: op view needs a view"],
    [
      { t: 0, kind: "tui", tui: "T1", op: "view", view: { type: "session" } },
      "2: tui: view.sessionID: expected string",
    ],
    [{ t: 0, kind: "tui", tui: "T1", op: "attach", terminal: { speed: 9 } }, "2: tui: unknown key terminal.speed"],
    [{ t: 0, kind: "config" }, "2: config: expected text or remove: true"],
    [{ t: 0, kind: "config", remove: false }, "2: config: remove: expected true"],
    [
      { t: 0, kind: "channel", channel: "pigeon", result: "ok" },
      "2: channel: channel: expected banner, voice, sound, terminal, push",
    ],
    [
      { t: 0, kind: "channel", channel: "banner", result: "lost" },
      "2: channel: result: expected ok, missing, fail, hang",
    ],
    [{ t: 0, kind: "sleep" }, "2: sleep: ms: expected number"],
    [{ t: 0, kind: "call", tool: "x", args: {} }, "2: call: sessionID: expected string"],
    [{ t: 0, kind: "mute" }, "2: mute: expected ms or off: true"],
  ])("%j", (line, expected) => {
    expect(about(line)).toEqual(expected);
  });

  test("is named by its own number, blank lines counted, and the first one is", () => {
    expect(complaint(lines(meta, "", { t: 0, kind: "end" }, "{", "{"))).toMatch(/^4: not JSON/);
  });

  test("may not go back in time", () => {
    expect(complaint(lines(meta, { t: 5, kind: "sleep", ms: 1 }, { t: 4, kind: "end" }))).toBe(
      "3: t is 4, before the 5 of an earlier line",
    );
  });
});
