import { fail, ok, type Result } from "./result.ts";

/**
 * The one way to read a file that a project, another user or a crash can plant: nothing but a regular file, opened without
 * waiting, never more bytes than wanted. Node's own calls are handed in: nobody reads a disk in this room.
 */
export type Disk = {
  stat(path: string): Promise<FileFacts>;
  lstat(path: string): Promise<FileFacts>;
  open(path: string, flags: number): Promise<OpenFile>;
  /** Windows has none but the first. */
  constants: { O_RDONLY: number; O_NONBLOCK?: number; O_NOFOLLOW?: number; O_NOCTTY?: number };
};

export type FileFacts = {
  isFile(): boolean;
  isDirectory(): boolean;
  size: number;
  ino: number;
  mode: number;
  uid: number;
};

export type OpenFile = {
  stat(): Promise<FileFacts>;
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
};

export type ReadOptions = {
  maxBytes: number;
  /** `refuse` where a link is no file of ours. */
  links?: "follow" | "refuse";
  /** `end`: of a longer file the last `maxBytes`, as it would be read of a log; else a longer file is refused. */
  of?: "whole" | "end";
};

/** `system`: what the system said instead, as thrown. */
export type ReadTrouble =
  | { kind: "not-a-file"; words: string }
  | { kind: "too-large"; words: string }
  | { kind: "system"; error: unknown };

export type FileBytes = { bytes: Uint8Array; facts: FileFacts };

export type Opened = { file: OpenFile; facts: FileFacts };

/** Opened for reading. Looked at first: to open a device or a pipe may already do something. */
export async function openRegularFile(
  disk: Disk,
  path: string,
  links: ReadOptions["links"] = "follow",
): Promise<Result<Opened, ReadTrouble>> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = disk.constants;
  try {
    const before = notRegular(links === "follow" ? await disk.stat(path) : await disk.lstat(path));
    if (before !== undefined) return fail(before);
    const file = await disk.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (links === "refuse" ? O_NOFOLLOW : 0));
    const facts = await file.stat().catch((error: unknown) => closeAndThrow(file, error));
    const opened = notRegular(facts); // it may have become a pipe in between
    if (opened === undefined) return ok({ file, facts });
    await file.close();
    return fail(opened);
  } catch (error) {
    return fail({ kind: "system", error });
  }
}

async function closeAndThrow(file: OpenFile, error: unknown): Promise<never> {
  await file.close();
  throw error;
}

export async function readRegularFile(
  disk: Disk,
  path: string,
  options: ReadOptions,
): Promise<Result<FileBytes, ReadTrouble>> {
  const opened = await openRegularFile(disk, path, options.links);
  if (!opened.ok) return opened;
  const { file, facts } = opened.value;
  try {
    const bytes = await readBytes(file, facts, options);
    return bytes.ok ? ok({ bytes: bytes.value, facts }) : bytes;
  } catch (error) {
    return fail({ kind: "system", error });
  } finally {
    await file.close().catch(() => undefined);
  }
}

/** Of an open file; a size is believed only as far as the bytes that come. */
export async function readBytes(
  file: Pick<OpenFile, "read">,
  { size }: Pick<FileFacts, "size">,
  { maxBytes, of = "whole" }: ReadOptions,
): Promise<Result<Uint8Array, ReadTrouble>> {
  const from = of === "end" ? Math.max(0, size - maxBytes) : 0;
  if (size - from > maxBytes) return fail(tooLarge(size, maxBytes));
  const most = of === "end" ? maxBytes : maxBytes + 1; // one more tells a file that grows from one that fits
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (let expected = size - from; total < most; expected = 0) {
    const chunk = new Uint8Array(Math.min(most - total, Math.max(expected + 1, smallestChunk)));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, from + total);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return total > maxBytes ? fail(tooLarge(total, maxBytes)) : ok(joined(chunks, total));
}

const smallestChunk = 4_096;

function joined([first, ...others]: readonly Uint8Array[], total: number): Uint8Array {
  if (first === undefined || others.length === 0) return first ?? new Uint8Array();
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const chunk of [first, ...others]) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function notRegular(facts: FileFacts): ReadTrouble | undefined {
  if (facts.isDirectory()) return { kind: "not-a-file", words: "is a folder, not a file" };
  return facts.isFile() ? undefined : { kind: "not-a-file", words: "is not a regular file" };
}

function tooLarge(size: number, maxBytes: number): ReadTrouble {
  const [has, most] = [Math.ceil(size / 1_024), maxBytes / 1_024];
  return { kind: "too-large", words: `has ${has} KiB, expected at most ${most} KiB` };
}

/** The text of bytes that are UTF-8, a byte order mark included, so that writing it gives the same bytes; else undefined. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
