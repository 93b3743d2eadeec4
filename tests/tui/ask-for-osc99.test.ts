import { expect, test } from "vitest";
import { osc99Query } from "../../src/shared/terminal-notification.ts";
import { askForOsc99 } from "../../src/tui/ask-for-osc99.ts";

const answer = "\x1b]99;i=beckon.query:p=?;p=title,body,?,close\x1b\\";

function ask() {
  const written: string[] = [];
  const handlers = new Set<(sequence: string) => boolean>();
  const question = askForOsc99({
    write: (bytes) => written.push(bytes) > 0,
    onSequence(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  });
  /** True when somebody kept it from the host. */
  const send = (sequence: string) => [...handlers].some((handler) => handler(sequence));
  return { question, written, send, listeners: () => handlers.size };
}

test("a terminal is asked once, and knows OSC 99 from its answer on", () => {
  const { question, written, send } = ask();
  expect(written).toEqual([osc99Query]);
  expect(question.answered()).toBe(false);
  expect(send(answer)).toBe(true);
  expect(question.answered()).toBe(true);
});

test("what is no answer to us is left to the host", () => {
  const { question, send } = ask();
  for (const other of ["\x1b[I", "a", "\x1b]99;i=opentui-notifications:p=?;p=title,?\x1b\\"])
    expect(send(other)).toBe(false);
  expect(question.answered()).toBe(false);
});

test("nobody listens any more at the end", () => {
  const { question, listeners } = ask();
  question.forget();
  expect(listeners()).toBe(0);
});

test("a terminal whose answer nobody would tell us is not asked: the host would take it for keys", () => {
  const written: string[] = [];
  const question = askForOsc99({ write: (bytes) => written.push(bytes) > 0 });
  expect(written).toEqual([]);
  expect(question.answered()).toBe(false);
  question.forget();
});
