import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mute, muteFileSource, unmute } from "../../../src/server/config/mute-file.ts";
import { tempFolders } from "../files/programs/temp-folder.ts";

const folder = tempFolders();
const until = Date.parse("2026-01-05T18:00:00Z");

test("what is muted is read back; unmuting takes it away; both are harmless twice", async () => {
  const dir = folder();
  const path = join(dir, "state/mute.json");
  const read = muteFileSource(path);
  expect(await read()).toEqual({ kind: "none" });
  for (const _twice of [1, 2]) expect(await mute(path, until)).toMatchObject({ ok: true });
  expect(readFileSync(path, "utf8")).toBe('{"until":"2026-01-05T18:00:00.000Z"}\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await read()).toEqual({ kind: "until", until });
  for (const _twice of [1, 2]) expect(await unmute(path)).toMatchObject({ ok: true });
  expect(await read()).toEqual({ kind: "none" });
  expect(readdirSync(join(dir, "state"))).toEqual([]);
});

test.each([
  "",
  "{",
  "null",
  "[]",
  "{}",
  '{"until":5}',
  '{"until":"soon"}',
  '{"until":"2026-01-05"}',
  '{"until":"2026-01-05T18:00:00Z","x":1}',
])("%j is not a mute and says what would be", async (text) => {
  const path = join(folder(), "mute.json");
  writeFileSync(path, text);
  expect(await muteFileSource(path)()).toEqual({
    kind: "unreadable",
    why: `${path}: expected { "until": a time such as "2026-01-05T18:00:00Z" }`,
  });
});

test("a time with an offset is understood", async () => {
  const path = join(folder(), "mute.json");
  writeFileSync(path, '{"until":"2026-01-05T19:00:00+01:00"}');
  expect(await muteFileSource(path)()).toEqual({ kind: "until", until });
});

test("a place that cannot be written or emptied is said by name", async () => {
  const dir = folder();
  mkdirSync(join(dir, "mute.json"));
  expect(await mute(join(dir, "mute.json"), until)).toMatchObject({ ok: false, error: { kind: "not-a-file" } });
  expect(await unmute(join(dir, "mute.json"))).toMatchObject({ ok: false });
});
