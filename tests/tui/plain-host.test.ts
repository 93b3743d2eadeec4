import { expect, test } from "vitest";
import { plainHost } from "../../src/tui/plain-host.ts";
import { hostileText, isHarmless } from "../contract/hostile-texts.ts";
import { createFakeTerminal } from "../fakes/terminal-host.ts";

test("no dialog, toast, choice or notification acts on the terminal, whatever a relay says", () => {
  const { host, did } = createFakeTerminal();
  const plain = plainHost(host);
  plain.toast(hostileText, hostileText);
  plain.show(hostileText, [hostileText, hostileText]);
  plain.choose(hostileText, [{ title: hostileText, value: 1 }], () => {});
  plain.screen.notify(hostileText, hostileText);
  const texts = did.flatMap(([_, ...given]) => given.map(String));
  expect(texts.length).toBeGreaterThanOrEqual(9);
  expect(texts.filter((text) => !isHarmless(text))).toEqual([]);
  expect(texts.filter((text) => !text.includes("EVIL"))).toEqual([]);
});

test("a dialog has an end, however many lines a relay sends", () => {
  const { host, did } = createFakeTerminal();
  plainHost(host).show(
    "Beckon",
    Array.from({ length: 20_000 }, (_, at) => `${at}`.repeat(500)),
  );
  const lines = (did[0] ?? []).slice(2).map(String);
  expect(lines.length).toBe(100);
  expect(lines.at(-1)).toMatch(/more lines/);
  expect(Math.max(...lines.map((line) => line.length))).toBe(200);
});
