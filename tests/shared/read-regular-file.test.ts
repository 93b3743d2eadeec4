import { execFileSync } from "node:child_process";
import { constants, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { lstat, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Disk,
  decodeText,
  type FileFacts,
  type ReadOptions,
  readRegularFile,
} from "../../src/shared/read-regular-file.ts";
import { tempFolders } from "../server/files/programs/temp-folder.ts";

const folder = tempFolders();
const disk: Disk = { stat, lstat, open, constants };
const refusal = async (path: string, options: ReadOptions = { maxBytes: 100 }) => {
  const read = await readRegularFile(disk, path, options);
  return read.ok ? `read ${read.value.bytes.length}` : read.error.kind;
};

test("a file is read to its last byte, of any size up to the limit", async () => {
  const path = join(folder(), "file");
  for (const size of [0, 1, 4_095, 4_096, 4_097, 100_000]) {
    writeFileSync(path, Buffer.alloc(size, 7));
    expect(await refusal(path, { maxBytes: 100_000 })).toBe(`read ${size}`);
  }
  writeFileSync(path, Buffer.alloc(100_001));
  expect(await refusal(path, { maxBytes: 100_000 })).toBe("too-large");
});

test("of a longer log its end is read", async () => {
  const path = join(folder(), "log");
  writeFileSync(path, `${"old\n".repeat(1_000)}the newest\n`);
  const read = await readRegularFile(disk, path, { maxBytes: 11, of: "end" });
  expect(read.ok && decodeText(read.value.bytes)).toBe("the newest\n");
});

describe("what is no file is not even opened", () => {
  test.each(["/dev/zero", "/dev/random", "/dev/tty", "/dev/null", "/proc"])("%s, behind a link", async (target) => {
    const path = join(folder(), "link");
    symlinkSync(target, path);
    const opened: string[] = [];
    const read = await readRegularFile({ ...disk, open: (at) => Promise.reject(opened.push(at)) }, path, {
      maxBytes: 1,
    });
    expect(read).toMatchObject({ ok: false, error: { kind: "not-a-file" } });
    expect(opened).toEqual([]);
  });

  test("a pipe, which would wait for its writer", async () => {
    const path = join(folder(), "pipe");
    execFileSync("mkfifo", [path]);
    expect(await refusal(path)).toBe("not-a-file");
  });
});

test("a file that has become a pipe since it was looked at makes nobody wait", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "x");
  execFileSync("mkfifo", [join(dir, "pipe")]);
  const swapped: Disk = { ...disk, open: (_, flags) => open(join(dir, "pipe"), flags) };
  const read = await readRegularFile(swapped, join(dir, "file"), { maxBytes: 10 });
  expect(read).toMatchObject({ ok: false, error: { kind: "not-a-file" } });
});

test("a link is followed, or refused where a link is no file of ours, also one that came after the look", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "x");
  symlinkSync("file", join(dir, "link"));
  expect(await refusal(join(dir, "link"))).toBe("read 1");
  expect(await refusal(join(dir, "link"), { maxBytes: 100, links: "refuse" })).toBe("not-a-file");
  const late: Disk = { ...disk, lstat: () => lstat(join(dir, "file")) };
  const read = await readRegularFile(late, join(dir, "link"), { maxBytes: 100, links: "refuse" });
  expect(read).toMatchObject({ ok: false, error: { kind: "system", error: { code: "ELOOP" } } });
});

test("a file that grows while it is read, or says it is empty and is not, ends at the limit", async () => {
  let served = 0;
  const facts: FileFacts = { isFile: () => true, isDirectory: () => false, size: 0, ino: 1, mode: 0o600, uid: 0 };
  const endless: Disk = {
    ...disk,
    stat: async () => facts,
    open: async () => ({
      stat: async () => facts,
      async read(_into, _offset, length) {
        served += length;
        return { bytesRead: length };
      },
      close: async () => {},
    }),
  };
  expect(await readRegularFile(endless, "x", { maxBytes: 10_000 })).toMatchObject({
    ok: false,
    error: { kind: "too-large" },
  });
  expect(served).toBe(10_001);
  expect((await readRegularFile(disk, "/proc/self/status", { maxBytes: 100_000 })).ok).toBe(true); // its size is 0
});

test("no descriptor is left open, however it ends", async () => {
  const dir = folder();
  mkdirSync(join(dir, "folder"));
  writeFileSync(join(dir, "big"), "xxx");
  writeFileSync(join(dir, "small"), "x");
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let round = 0; round < 50; round += 1)
    for (const name of ["folder", "big", "small", "gone"])
      await readRegularFile(disk, join(dir, name), { maxBytes: 2 });
  expect(open()).toBeLessThan(before + 20);
});

test("text is UTF-8 to the byte, its mark included, or no text", () => {
  for (const text of ["", "grün", "\uFEFF{}", "\u0000", "𝄞"])
    expect(decodeText(new TextEncoder().encode(text))).toBe(text);
  for (const bytes of [[0xfc], [0xff, 0xfe, 0x7b, 0], [0xc3], [0xed, 0xa0, 0x80]])
    expect(decodeText(Uint8Array.from(bytes))).toBeUndefined();
});
