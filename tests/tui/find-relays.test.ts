import { chmodSync, chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/shared/clock.ts";
import { findRelays, readFolders } from "../../src/tui/find-relays.ts";
import type { RelayAddress } from "../../src/tui/relay-client.ts";
import { waitUntil } from "../rig/host/wait-for.ts";

let base: string;
let folder: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "beckon-find-"));
  folder = join(base, "relays");
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const idOf = (letter: string) => letter.repeat(16);
function put(letter: string, more: object = {}, where = folder) {
  const path = join(where, `${idOf(letter)}.json`);
  const said = {
    url: "ws://127.0.0.1:4711/focus",
    token: `token of ${letter}`,
    pid: process.pid,
    startedAt: Date.now(),
    line: "v1",
    directories: [],
    protocol: 1,
    ...more,
  };
  writeFileSync(`${path}.draft`, JSON.stringify(said), { mode: 0o600 });
  renameSync(`${path}.draft`, path);
  return path;
}
const found = async (...folders: string[]) => (await readFolders(folders)).map(({ token }) => token);

describe("a relay is found", () => {
  test("in every folder, each once", async () => {
    const other = join(base, "other");
    mkdirSync(other, { mode: 0o700 });
    put("a");
    put("b");
    put("b", {}, other);
    put("c", {}, other);
    expect(await found(folder, other, join(base, "missing"))).toEqual(["token of a", "token of b", "token of c"]);
  });

  test("behind a thousand that dead processes left", async () => {
    for (let n = 1_000; n < 2_000; n += 1) put(String(n), { pid: 2 ** 30 });
    put("z");
    expect(await found(folder)).toEqual(["token of z"]);
  });

  test.each<[string, () => void]>([
    ["others may read its file", () => chmodSync(put("a"), 0o644)],
    ["its group may write its file", () => chmodSync(put("a"), 0o620)],
    ["its file is a link", () => symlinkSync(put("a", {}, base), join(folder, `${idOf("b")}.json`))],
    ["its file is a folder", () => mkdirSync(join(folder, `${idOf("a")}.json`), { mode: 0o700 })],
    ["its process is gone", () => void put("a", { pid: 2 ** 30 })],
    ["it points to another machine", () => void put("a", { url: "ws://10.0.0.1:1/focus" })],
    ["its file is enormous", () => void put("a", { directories: ["x".repeat(100_000)] })],
    [
      "others may enter the folder",
      () => {
        put("a");
        chmodSync(folder, 0o755);
      },
    ],
  ])("but not when %s", async (_when, prepare) => {
    prepare();
    expect(await found(folder)).toEqual([]);
  });

  // Only root can make a file somebody else's: elsewhere the next test is all that can be shown.
  test("but not when its file or the folder is somebody else's", async () => {
    if (process.getuid?.() !== 0) return expect(await found("/")).toEqual([]);
    const path = put("a");
    chownSync(path, 12_345, 12_345);
    expect(await found(folder)).toEqual([]);
    chownSync(path, 0, 0);
    expect(await found(folder)).toHaveLength(1);
    chownSync(folder, 12_345, 12_345);
    return expect(await found(folder)).toEqual([]);
  });

  test.runIf(process.platform === "linux")("but not when its pid is another process by now", async () => {
    put("a", { startedAt: Date.now() - 30 * 86_400_000 });
    expect(await found(folder)).toEqual([]);
  });
});

describe("looking out for relays", () => {
  test("tells of new ones, of gone ones, and of a folder that was not there yet", async () => {
    rmSync(folder, { recursive: true });
    const told: (readonly RelayAddress[])[] = [];
    const end = findRelays({ clock: systemClock, folders: [folder], onRelays: (relays) => told.push(relays) });
    const until = (letters: string) =>
      waitUntil(`relays ${letters}`, () => (told.at(-1) ?? []).map(({ id }) => id[0]).join("") === letters);
    mkdirSync(folder, { mode: 0o700 });
    const first = put("a");
    await until("a");
    put("b");
    await until("ab");
    rmSync(first);
    await until("b");
    put("b", { url: "ws://127.0.0.1:4712/focus" });
    await waitUntil("the new address", () => told.at(-1)?.[0]?.url === "ws://127.0.0.1:4712/focus");
    end();
    const before = told.length;
    put("c");
    const marker: (readonly RelayAddress[])[] = [];
    const endMarker = findRelays({ clock: systemClock, folders: [folder], onRelays: (relays) => marker.push(relays) });
    await waitUntil("the marker", () => marker.length > 0);
    endMarker();
    expect(told).toHaveLength(before);
  });
});
