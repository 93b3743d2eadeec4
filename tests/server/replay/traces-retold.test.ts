import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replay } from "../../../src/server/replay/replay.ts";
import { complaintsAbout } from "../../conformance/grade.ts";

const traces = join(import.meta.dirname, "../../traces");

type Line = { kind: string; event?: { type: string; properties?: { info?: { role?: string } } } };
const read = (line: string, name: string): Line[] =>
  readFileSync(join(traces, line, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text));

const isCreation = ({ event }: Line): boolean => event?.type === "session.created";
const isPrompt = ({ event }: Line): boolean =>
  event?.type === "session.inbox.enqueued" ||
  (event?.type === "message.updated" && event.properties?.info?.role === "user");

/** What a plugin that came late, hears through several instances or sits on another build is told. */
const tellings: [string, (lines: Line[]) => Line[]][] = [
  ["no session's creation was heard", (lines) => lines.filter((line) => !isCreation(line))],
  ["the host calls no hook", (lines) => lines.filter(({ kind }) => kind !== "hook")],
  ["a prompt is told by its hook alone", (lines) => lines.filter((line) => !isPrompt(line))],
  ["every event is heard twice", (lines) => lines.flatMap((line) => (line.kind === "event" ? [line, line] : [line]))],
  ["every hook is called twice", (lines) => lines.flatMap((line) => (line.kind === "hook" ? [line, line] : [line]))],
];

async function complaints(line: string, name: string, change: (lines: Line[]) => Line[]): Promise<string[]> {
  const decided = await replay(
    change(read(line, name))
      .map((told) => JSON.stringify(told))
      .join("\n"),
  );
  if (!decided.ok) throw new Error(`${name}, line ${decided.error.line}: ${decided.error.what}`);
  const lines = decided.value.map(({ at, ...decision }) => ({ t: Math.round(at), ...decision }));
  const expected: unknown = JSON.parse(readFileSync(join(traces, line, `${name}.expect.json`), "utf8"));
  return (await complaintsAbout(lines, expected)).map((complaint) => `${name}: ${complaint}`);
}

describe.each(["v1", "v2"])("the stories of %s come out alike when", (line) => {
  const names = readdirSync(join(traces, line)).flatMap((file) => (/^(.*)\.jsonl$/.exec(file) ?? []).slice(1));

  test.each(tellings)("%s", async (_, change) => {
    const wrong: string[] = [];
    for (const name of names) wrong.push(...(await complaints(line, name, change)));
    expect(wrong).toEqual([]);
  });
});
