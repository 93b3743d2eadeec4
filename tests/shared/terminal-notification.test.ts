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

  test("a bell is never wrapped", () => {
    expect(raiseBytes(note(), "bell", "tmux")).toBe("\u0007");
    expect(raiseBytes(note(), "bell", "screen")).toBe("\u0007");
  });
});
