import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { writeAtomic } from "../../../src/server/files/write-atomic.ts";

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "beckon-write-"));
  folders.push(path);
  return path;
};
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

test("a new file is for its owner only, and so are the folders made for it", async () => {
  const dir = folder();
  expect(await writeAtomic(join(dir, "a/b/c.json"), "text")).toEqual({ ok: true, value: undefined });
  expect(readFileSync(join(dir, "a/b/c.json"), "utf8")).toBe("text");
  expect(statSync(join(dir, "a/b/c.json")).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, "a")).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, "a/b")).mode & 0o777).toBe(0o700);
});

test("nothing but the file is left behind", async () => {
  const dir = folder();
  for (const text of ["one", "two"]) await writeAtomic(join(dir, "c.json"), text);
  expect(readdirSync(dir)).toEqual(["c.json"]);
  expect(readFileSync(join(dir, "c.json"), "utf8")).toBe("two");
});

test("readers never see half a file while it is written over and over", async () => {
  const path = join(folder(), "c.json");
  const texts = ["a".repeat(200_000), "b".repeat(200_000)];
  await writeAtomic(path, texts[0] ?? "");
  let done = false;
  const writing = (async () => {
    for (let round = 0; round < 50; round += 1) await writeAtomic(path, texts[round % 2] ?? "");
    done = true;
  })();
  let looks = 0;
  while (!done) {
    expect(texts).toContain(readFileSync(path, "utf8"));
    looks += 1;
    await new Promise((next) => setImmediate(next));
  }
  await writing;
  expect(looks).toBeGreaterThan(0);
});

test("a link keeps pointing at its file, and that file is replaced", async () => {
  const dir = folder();
  mkdirSync(join(dir, "dotfiles"));
  writeFileSync(join(dir, "dotfiles/beckon.json"), "old");
  symlinkSync(join(dir, "dotfiles/beckon.json"), join(dir, "c.json"));
  await writeAtomic(join(dir, "c.json"), "new");
  expect(readlinkSync(join(dir, "c.json"))).toBe(join(dir, "dotfiles/beckon.json"));
  expect(readFileSync(join(dir, "dotfiles/beckon.json"), "utf8")).toBe("new");
});

test("what cannot be written is a value that names the path and the reason, and nothing is left behind", async () => {
  const dir = folder();
  mkdirSync(join(dir, "folder"));
  writeFileSync(join(dir, "file"), "");
  expect(await writeAtomic(join(dir, "folder"), "x")).toEqual({
    ok: false,
    error: { kind: "not-a-file", message: `${join(dir, "folder")}: is a folder, not a file` },
  });
  expect(await writeAtomic(join(dir, "file/c.json"), "x")).toMatchObject({
    ok: false,
    error: { kind: "not-a-folder" },
  });
  expect(await writeAtomic("/proc/version", "x")).toMatchObject({ ok: false });
  expect(readdirSync(dir).sort()).toEqual(["file", "folder"]);
});

test("a link to nowhere stays, and what it names is made, with the folders on the way", async () => {
  const dir = folder();
  symlinkSync("dotfiles/deep/beckon.json", join(dir, "c.json"));
  expect(await writeAtomic(join(dir, "c.json"), "new")).toMatchObject({ ok: true });
  expect(readlinkSync(join(dir, "c.json"))).toBe("dotfiles/deep/beckon.json");
  expect(readFileSync(join(dir, "dotfiles/deep/beckon.json"), "utf8")).toBe("new");
  symlinkSync("round", join(dir, "round"));
  expect(await writeAtomic(join(dir, "round"), "x")).toMatchObject({ ok: false });
});

test("what its owner made read-only is not replaced", async () => {
  const path = join(folder(), "c.json");
  writeFileSync(path, "old");
  chmodSync(path, 0o444);
  expect(await writeAtomic(path, "new")).toEqual({
    ok: false,
    error: { kind: "cannot-replace", message: `${path}: is read-only (mode 0444); to have it changed: chmod u+w` },
  });
  expect(readFileSync(path, "utf8")).toBe("old");
});

test.skipIf(process.getuid?.() !== 0)(
  "a file keeps its owner when root writes it, and its mode where that is wanted",
  async () => {
    const path = join(folder(), "c.json");
    writeFileSync(path, "old");
    chownSync(path, 1_234, 1_235);
    chmodSync(path, 0o640);
    await writeAtomic(path, "new", { mode: "keep" });
    expect(statSync(path)).toMatchObject({ uid: 1_234, gid: 1_235, mode: 0o100640 });
    await writeAtomic(path, "newer");
    expect(statSync(path)).toMatchObject({ uid: 1_234, gid: 1_235, mode: 0o100600 });
  },
);

test.skipIf(process.getuid?.() !== 0)("somebody else's file is left to them", async () => {
  const dir = folder();
  const path = join(dir, "c.json");
  writeFileSync(path, "old");
  chmodSync(dir, 0o777);
  process.seteuid?.(65_534);
  const written = await writeAtomic(path, "new").finally(() => process.seteuid?.(0));
  expect(written).toMatchObject({ ok: false, error: { kind: "denied" } });
  expect(readFileSync(path, "utf8")).toBe("old");
});

test("drafts that a killed process left are tidied up, those of others are not", async () => {
  const dir = folder();
  const path = join(dir, "c.json");
  const [old, fresh, others] = [randomUUID(), randomUUID(), randomUUID()].map((id) => `c.json.${id}.tmp`);
  for (const name of [old, fresh, `x${others}`, "c.json.mine.tmp"]) writeFileSync(join(dir, name ?? ""), "half");
  for (const name of [old, `x${others}`, "c.json.mine.tmp"]) utimesSync(join(dir, name ?? ""), 0, 0);
  await writeAtomic(path, "new");
  expect(readdirSync(dir).sort()).toEqual(["c.json", fresh, "c.json.mine.tmp", `x${others}`].sort());
});
