import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { errorCode, fileFailure } from "./file-error.ts";
import type { FileText } from "./file-text.ts";

/** File systems round times, some to 2 s: a file changed this recently may change again unseen. */
const freshMs = 2_000;

/**
 * Reads one small text file, synchronously, and again only when its time, size or identity changed.
 * Folders, devices, pipes, too many bytes and other encodings are `unreadable` with the reason; never throws, never waits.
 */
export function createFileSource({ path, maxBytes }: { path: string; maxBytes: number }): () => FileText {
  let known: { look: string; at: number; file: FileText } | undefined;

  return () => {
    try {
      const stats = statSync(path, { throwIfNoEntry: false }); // no file is the common case, and throwing costs more
      if (stats === undefined) return { kind: "missing" };
      const look = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":");
      if (known?.look === look && known.at - stats.mtimeMs > freshMs) return known.file;
      const at = Date.now();
      const file = refusal(path, stats, maxBytes) ?? readText(path, look, maxBytes);
      known = { look, at, file };
      return file;
    } catch (error) {
      known = undefined;
      if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return { kind: "missing" };
      return { kind: "unreadable", why: fileFailure(path, error).message };
    }
  };
}

function refusal(path: string, stats: Stats, maxBytes: number): FileText | undefined {
  const unreadable = (why: string): FileText => ({ kind: "unreadable", why: `${path}: ${why}` });
  if (stats.isDirectory()) return unreadable("is a folder, not a file");
  if (!stats.isFile()) return unreadable("is not a regular file");
  if (stats.size > maxBytes) {
    return unreadable(`has ${Math.ceil(stats.size / 1024)} KiB, expected at most ${maxBytes / 1024} KiB`);
  }
  return undefined;
}

/** Opened without waiting: the file may have become a pipe since it was looked at. */
function readText(path: string, look: string, maxBytes: number): FileText {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const refused = refusal(path, fstatSync(file), maxBytes);
    if (refused !== undefined) return refused;
    const bytes = readFileSync(file);
    const text = decode(bytes);
    if (text === undefined) return { kind: "unreadable", why: `${path}: is not UTF-8 text; save it as UTF-8` };
    return { kind: "text", text, stamp: `${look}:${hash(text)}` };
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Tells two texts apart that share time and size (FNV-1a, 32 bits). */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum >>> 0;
}
