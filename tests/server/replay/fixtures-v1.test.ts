import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replay } from "../../../src/server/replay/replay.ts";
import { complaintsAbout } from "../../conformance/grade.ts";
import { convertV1, type TraceLine } from "../../rig/fixtures/convert-v1.ts";
import {
  errorsAfterIdle,
  errorsAfterIdlePair,
  everyEventTwice,
  withoutRepeatedBusy,
} from "../../rig/fixtures/mutate-v1.ts";

const recorded = join(import.meta.dirname, "../../fixtures/opencode-1.18");
const expected = join(import.meta.dirname, "../../fixtures-v1-expect");
const rounds = readdirSync(recorded)
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.replace(/\.jsonl$/, ""));

type Matcher = { times: number };
type Expectation = { title: string; lines: Matcher[]; explain: Matcher[] };
const expectation = (name: string): Expectation =>
  JSON.parse(readFileSync(join(expected, `${name}.expect.json`), "utf8"));

async function grade(name: string, change: (lines: TraceLine[]) => TraceLine[]) {
  const trace = change(convertV1(join(recorded, `${name}.jsonl`)));
  const decided = await replay(trace.map((line) => JSON.stringify(line)).join("\n"));
  if (!decided.ok) throw new Error(`line ${decided.error.line}: ${decided.error.what}`);
  const lines = decided.value.map(({ at, ...decision }) => ({ t: Math.round(at), ...decision }));
  const { lines: told, explain } = expectation(name);
  // Stricter than the shared traces: what is not expected must not come, be it ever so silent.
  const count = [...told, ...explain].reduce((sum, { times }) => sum + times, 0);
  return { lines, count, complaints: await complaintsAbout(lines, expectation(name)) };
}

const tellings: [string, (lines: TraceLine[]) => TraceLine[]][] = [
  ["as recorded", (lines) => lines],
  ["without the repeated busy", withoutRepeatedBusy],
  ["errors told between idle and its twin", errorsAfterIdle],
  ["errors told after both idles", errorsAfterIdlePair],
  ["every event heard twice", everyEventTwice],
];

describe.each(tellings)("%s", (_, change) => {
  test.each(rounds.map((name) => [name, expectation(name).title]))("%s: %s", async (name) => {
    const { lines, count, complaints } = await grade(name, change);
    expect({ lines, complaints }).toMatchObject({ complaints: [] });
    expect(lines).toHaveLength(count);
  });
});

test("every recorded round has its expectation, and no expectation is without a round", () => {
  const names = readdirSync(expected).map((file) => file.replace(/\.expect\.json$/, ""));
  expect(names.toSorted()).toEqual(rounds.toSorted());
});

test("the retellings are retellings: each changes what it says it changes", () => {
  const order = (name: string, change: (lines: TraceLine[]) => TraceLine[]) =>
    change(convertV1(join(recorded, `${name}.jsonl`))).map((line) => JSON.stringify(line));
  expect(order("plain", withoutRepeatedBusy).length).toBeLessThan(order("plain", (lines) => lines).length);
  for (const late of [errorsAfterIdle, errorsAfterIdlePair]) {
    const lines = order("error-401", late);
    const error = lines.findIndex((line) => line.includes('"session.error"'));
    expect(lines.findIndex((line) => line.includes('"idle"'))).toBeLessThan(error);
    expect(error).toBeGreaterThan(0);
  }
  expect(new Set(order("plain", everyEventTwice)).size).toBeLessThan(order("plain", everyEventTwice).length);
});
