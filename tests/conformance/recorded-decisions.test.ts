import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replay } from "../../src/server/replay/replay.ts";
import { convertV2 } from "../rig/fixtures/convert-v2.ts";
import { complaintsAbout } from "./grade.ts";

const recorded = join(import.meta.dirname, "../fixtures/opencode-2-alpha");
const expected = join(import.meta.dirname, "../fixtures-v2-expect");
const rounds = readdirSync(recorded).map((name) => name.replace(/\.jsonl$/, ""));

const expectation = (name: string): { title: string } =>
  JSON.parse(readFileSync(join(expected, `${name}.expect.json`), "utf8"));

/** The lines of `beckon replay --json`. */
async function decisionsOf(name: string) {
  const trace = convertV2(join(recorded, `${name}.jsonl`));
  const decided = await replay(trace.map((line) => JSON.stringify(line)).join("\n"));
  if (!decided.ok) throw new Error(`line ${decided.error.line}: ${decided.error.what}`);
  return decided.value.map(({ at, ...decision }) => ({ t: Math.round(at), ...decision }));
}

test.each(rounds.map((name) => [name, expectation(name).title]))("%s: %s", async (name) => {
  const lines = await decisionsOf(name);
  expect({ lines, complaints: await complaintsAbout(lines, expectation(name)) }).toMatchObject({ complaints: [] });
});

test("every recorded round has its expectation, and no expectation is without a round", () => {
  const names = readdirSync(expected).map((file) => file.replace(/\.expect\.json$/, ""));
  expect(names.toSorted()).toEqual(rounds.toSorted());
});
