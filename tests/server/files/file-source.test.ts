import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createFileSource } from "../../../src/server/files/file-source.ts";

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "beckon-source-"));
  folders.push(path);
  return path;
};
afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});
const source = (path: string, maxBytes = 1_024) => createFileSource({ path, maxBytes });
const longAgo = new Date("2020-01-01T00:00:00Z");

test("a missing file is missing, and so is one in a missing folder or below a file", async () => {
  const dir = folder();
  writeFileSync(join(dir, "file"), "");
  expect(await source(join(dir, "file/c.json"))()).toEqual({ kind: "missing" });
  expect(await source(join(folder(), "a/b/c.json"))()).toEqual({ kind: "missing" });
});

test("the same old file keeps its stamp and is not read again", async () => {
  const path = join(folder(), "c.json");
  writeFileSync(path, "{}");
  utimesSync(path, longAgo, longAgo);
  const read = source(path);
  expect(await read()).toMatchObject({ kind: "text", text: "{}" });
  expect(await read()).toBe(await read());
});

test("an edit is seen, even one of the same length within the same tick of the clock", async () => {
  const path = join(folder(), "c.json");
  const read = source(path);
  const stamps = new Set<string>();
  for (const text of ["1", "2", "3"]) {
    const now = new Date();
    writeFileSync(path, text);
    utimesSync(path, now, now);
    const file = await read();
    expect(file).toMatchObject({ kind: "text", text });
    if (file.kind === "text") stamps.add(file.stamp);
  }
  expect(stamps.size).toBe(3);
});

test("a file put in place by rename is seen though its time is old", async () => {
  const dir = folder();
  const path = join(dir, "c.json");
  writeFileSync(path, "1");
  utimesSync(path, longAgo, longAgo);
  const read = source(path);
  await read();
  writeFileSync(join(dir, "new"), "2");
  utimesSync(join(dir, "new"), longAgo, longAgo);
  renameSync(join(dir, "new"), path);
  expect(await read()).toMatchObject({ text: "2" });
});

test("a removed file is missing again", async () => {
  const path = join(folder(), "c.json");
  writeFileSync(path, "{}");
  const read = source(path);
  await read();
  rmSync(path);
  expect(await read()).toEqual({ kind: "missing" });
});

test("a folder, a device, too many bytes and other encodings are unreadable, with the reason", async () => {
  const dir = folder();
  mkdirSync(join(dir, "d"));
  const socket = createServer().listen(join(dir, "socket"));
  await once(socket, "listening");
  symlinkSync("/dev/zero", join(dir, "endless"));
  writeFileSync(join(dir, "big"), "x".repeat(10 * 1_024 * 1_024));
  writeFileSync(join(dir, "utf16"), Buffer.from("\uFEFF{}", "utf16le"));
  const why = async (name: string) => {
    const file = await source(join(dir, name))();
    return file.kind === "unreadable" ? file.why.replace(`${dir}/`, "") : file.kind;
  };
  expect(await why("d")).toBe("d: is a folder, not a file");
  expect(await why("socket")).toBe("socket: is not a regular file");
  expect(await why("endless")).toBe("endless: is not a regular file");
  expect(await why("big")).toBe("big: has 10240 KiB, expected at most 1 KiB");
  expect(await why("utf16")).toBe("utf16: is not UTF-8 text (line 1, byte 1); save it as UTF-8");
  socket.close();
});

test("a file we may not read is unreadable", async () => {
  const path = join(folder(), "c.json");
  writeFileSync(path, "{}");
  chmodSync(path, 0);
  expect(await asNobody(source(path))).toEqual({ kind: "unreadable", why: `${path}: permission denied` });
});

/** Root may read everything: it steps down for the look. */
async function asNobody<T>(look: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return look();
  process.seteuid?.(65_534);
  try {
    return await look();
  } finally {
    process.seteuid?.(0);
  }
}
