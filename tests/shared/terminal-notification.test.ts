import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  idOf,
  isOsc99Answer,
  osc99Query,
  raiseBytes,
  type TerminalNotification,
  takeBackBytes,
} from "../../src/shared/terminal-notification.ts";
import { cleanBody, cleanTitle } from "../../src/shared/text.ts";
import { hostileTexts } from "../contract/hostile-texts.ts";
import { openTerminal, printedBytes } from "../rig/host/terminal.ts";
import { terminalKinds } from "../rig/host/terminal-kinds.ts";
import { needs } from "../rig/needs.ts";

const note = (given: Partial<TerminalNotification> = {}): TerminalNotification => ({
  key: "session.ses_S",
  title: "Fix login",
  body: "Waiting for you",
  urgency: "normal",
  ...given,
});
const decoded = (text = "") => Buffer.from(text, "base64").toString("utf8");

/** The commands of whole OSC sequences; fails when anything stands outside of one or could end one early. */
function sequences(bytes: string): string[] {
  const [before, ...rest] = bytes.split("\u001b]");
  expect(before).toBe("");
  return rest.map((sequence) => {
    expect(sequence.endsWith("\u001b\\")).toBe(true);
    const command = sequence.slice(0, -2);
    expect(command).not.toMatch(/\p{Cc}/u);
    return command;
  });
}

describe("OSC 99", () => {
  test("carries title and body in base64 under one id, with the urgency at the end", () => {
    const [title, body, ...rest] = sequences(raiseBytes(note({ urgency: "critical" }), "osc99"));
    expect(rest).toEqual([]);
    expect(title).toMatch(/^99;i=beckon\.session\.ses_S:e=1:d=0:p=title;/);
    expect(body).toMatch(/^99;i=beckon\.session\.ses_S:e=1:d=1:p=body:u=2;/);
    expect([decoded(title?.split(";")[2]), decoded(body?.split(";")[2])]).toEqual(["Fix login", "Waiting for you"]);
  });

  test("without a body is a title alone", () => {
    expect(sequences(raiseBytes(note({ body: "" }), "osc99"))).toEqual([
      `99;i=beckon.session.ses_S:e=1:d=1:p=title:u=1;${btoa("Fix login")}`,
    ]);
  });

  test("cuts a long text into payloads the protocol allows, between characters", () => {
    const body = cleanBody("👩‍👩‍👧‍👦".repeat(240));
    const parts = sequences(raiseBytes(note({ body }), "osc99"))
      .slice(1)
      .map((command) => command.split(";")[2] ?? "");
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(Buffer.from(part, "base64").length).toBeLessThanOrEqual(2_048);
    expect(parts.map(decoded).join("")).toBe(body);
  });

  test("is taken back by its id; the other ways have none", () => {
    expect(takeBackBytes("session.ses_S", "osc99")).toBe("\u001b]99;i=beckon.session.ses_S:p=close;\u001b\\");
    for (const by of ["osc777", "osc9", "bell"] as const) expect(takeBackBytes("session.ses_S", by)).toBeUndefined();
  });

  test("ids hold nothing but the protocol's alphabet, and different keys stay different", () => {
    const keys = ["a:b", "a;b", "a+3a+b", "a\u001bb", "a/b", "aéb", "a.b", "a-b", "a_b"];
    const ids = keys.map(idOf);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_+.-]+$/);
    expect(new Set(ids).size).toBe(keys.length);
  });

  test("asks the terminal whether it knows this, and knows the answer to its own question", () => {
    expect(osc99Query).toBe("\u001b]99;i=beckon.query:p=?;\u001b\\");
    const answer = (id: string) => `\u001b]99;i=${id}:p=?;a=report:p=title,body,?,close\u001b\\`;
    expect(isOsc99Answer(answer("beckon.query"))).toBe(true);
    expect(isOsc99Answer("\u001b]99;p=?:i=beckon.query;p=title,?\u0007")).toBe(true);
    for (const other of [answer("opentui-notifications"), answer("beckon.query2"), "\u001b[I", "i=beckon.query:p=?;"])
      expect(isOsc99Answer(other)).toBe(false);
  });
});

describe("every way", () => {
  test.each(Object.entries(hostileTexts))("writes %s as whole sequences and nothing else", (_, text) => {
    for (const by of ["osc99", "osc777", "osc9"] as const) {
      const commands = sequences(raiseBytes(note(text), by));
      expect(commands.length).toBeGreaterThan(0);
    }
    expect(raiseBytes(note(text), "bell")).toBe("\u0007");
  });

  test.each(Object.entries(hostileTexts))("of OSC 777 has exactly two fields for %s", (_, text) => {
    const [command = ""] = sequences(raiseBytes(note(text), "osc777"));
    const fields = command.split(";");
    const shown = (clean: string) => clean.replaceAll(";", ",").replaceAll("\n", " ");
    expect(fields).toEqual(["777", "notify", shown(cleanTitle(text.title) || "opencode"), shown(cleanBody(text.body))]);
  });

  test.each([...Object.values(hostileTexts).map(({ title }) => title), "9;9;/etc", "12", "", "4", "é"])(
    "of OSC 9 begins %j with a letter, so that nobody takes it for progress",
    (title) => {
      const [command = ""] = sequences(raiseBytes(note({ title, body: "4;1;50" }), "osc9"));
      expect(command).toMatch(/^9;\p{L}/u);
      expect(command).toContain(cleanTitle(title));
    },
  );
});

describe("wrapping", () => {
  test("for tmux doubles every escape and adds a bell that arrives without passthrough", () => {
    expect(raiseBytes(note({ title: "T", body: "B" }), "osc777", "tmux")).toBe(
      "\u001bPtmux;\u001b\u001b]777;notify;T;B\u001b\u001b\\\u001b\\\u0007",
    );
    expect(takeBackBytes("k", "osc99", "tmux")).toBe(
      "\u001bPtmux;\u001b\u001b]99;i=beckon.k:p=close;\u001b\u001b\\\u001b\\",
    );
  });

  test("for screen ends the sequence inside in a bell, so that the wrapper ends only once", () => {
    expect(raiseBytes(note({ title: "T", body: "B" }), "osc9", "screen")).toBe("\u001bP\u001b]9;T: B\u0007\u001b\\");
  });

  test.each(["osc99", "osc777", "osc9"] as const)("for screen holds nothing it would take for a control, %s", (by) => {
    const lowestBytes = (text: string) =>
      String.fromCharCode(...[...text].map((sign) => (sign.codePointAt(0) ?? 0) % 256));
    const texts = fc.record({ title: fc.string({ unit: "binary" }), body: fc.string({ unit: "binary" }) });
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = raiseBytes(note(text), by, "screen");
        const strings = bytes.split("\u001bP\u001b]").slice(1);
        expect(strings.length).toBeGreaterThan(0);
        for (const string of strings) {
          expect(string.endsWith("\u0007\u001b\\")).toBe(true);
          expect(lowestBytes(string.slice(0, -3))).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });

  test("for screen keeps the letters beneath what it cannot carry", () => {
    const [title, body] = ["Oprava přihlášení: 1万", "Práce hotová … über Nacht"];
    expect(raiseBytes(note({ title, body }), "osc777", "screen")).toBe(
      "\u001bP\u001b]777;notify;Oprava prihlásení: 1;Práce hotová ... über Nacht\u0007\u001b\\",
    );
    expect(raiseBytes(note({ title: "修复登录", body: "" }), "osc777", "screen")).toContain("777;notify;opencode;");
  });

  test("for screen is never longer than a string it keeps: the rest would be typed over the screen", () => {
    const long = note({ title: "T".repeat(80), body: "👩‍👩‍👧‍👦".repeat(240) });
    for (const by of ["osc99", "osc777", "osc9"] as const)
      for (const string of raiseBytes(long, by, "screen").split("\u001bP").slice(1))
        expect(string.length).toBeLessThan(768);
    expect(raiseBytes({ ...long, key: "#".repeat(300) }, "osc99", "screen")).toBe("\u0007");
  });

  test("a bell is never wrapped", () => {
    expect(raiseBytes(note(), "bell", "tmux")).toBe("\u0007");
    expect(raiseBytes(note(), "bell", "screen")).toBe("\u0007");
  });
});

needs("python3", "screen")("a real screen", () => {
  test.each(["osc99", "osc777", "osc9"] as const)("hands on %s whole, whatever the text", async (by) => {
    const folder = mkdtempSync(join(tmpdir(), "beckon-screen-"));
    const hostile = note({ title: `万 丛[31m ě ć ${"x".repeat(60)}`, body: "封 ś\u0007 ".repeat(60) });
    writeFileSync(join(folder, "alert"), raiseBytes(hostile, by, "screen"));
    const argv = ["/usr/bin/screen", "-U", "-c", "/dev/null", "/bin/sh", "-c", "cat alert && echo shown && sleep 600"];
    const env = { PATH: process.env.PATH ?? "", LANG: "C.UTF-8", SCREENDIR: folder };
    chmodSync(folder, 0o700);
    const terminal = await openTerminal(argv, { cwd: folder, env, kind: terminalKinds.xterm });
    try {
      await printedBytes(terminal, "shown");
      const [before] = terminal.output().split("shown");
      const inside = raiseBytes(hostile, by, "screen").replaceAll("\u001bP", "").replaceAll("\u0007\u001b\\", "\u0007");
      expect(before).toContain(Buffer.from(inside).toString("latin1"));
    } finally {
      spawnSync("/usr/bin/screen", ["-X", "quit"], { env });
      await terminal.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
