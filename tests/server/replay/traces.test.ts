import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replay } from "../../../src/server/replay/replay.ts";
import { complaintsAbout } from "../../conformance/grade.ts";

const traces = join(import.meta.dirname, "../../traces");

const stories = (line: string): [string, string][] =>
  readdirSync(join(traces, line))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(/\.jsonl$/, ""))
    .map((name) => [name, expectation(line, name).title]);

const expectation = (line: string, name: string): { title: string } =>
  JSON.parse(readFileSync(join(traces, line, `${name}.expect.json`), "utf8"));

/** The lines of `beckon replay --json`. */
async function decisionsOf(line: string, name: string) {
  const decided = await replay(readFileSync(join(traces, line, `${name}.jsonl`), "utf8"));
  if (!decided.ok) throw new Error(`line ${decided.error.line}: ${decided.error.what}`);
  return decided.value.map(({ at, ...decision }) => ({ t: Math.round(at), ...decision }));
}

describe.each(["v1", "v2"])("%s", (line) => {
  test.each(stories(line))("%s: %s", async (name) => {
    const lines = await decisionsOf(line, name);
    expect({ lines, complaints: await complaintsAbout(lines, expectation(line, name)) }).toMatchObject({
      complaints: [],
    });
  });
});
