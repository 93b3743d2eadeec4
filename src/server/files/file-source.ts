import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { fileFailure } from "./file-error.ts";
import type { FileText } from "./file-text.ts";
import { isMissing, readFileText } from "./read-file.ts";

/** File systems round times, some to 2 s: a file changed this recently may change again unseen. */
const freshMs = 2_000;

/**
 * Reads one small text file, and again only when its time, size or identity changed. What is no such file is `unreadable`
 * with the reason; never rejects.
 */
export function createFileSource({ path, maxBytes }: { path: string; maxBytes: number }): () => Promise<FileText> {
  let known: { look: string; at: number; file: FileText } | undefined;

  return async () => {
    const stats = await look(path);
    if (stats.kind !== "there") {
      known = undefined;
      return stats;
    }
    if (known?.look === stats.look && known.at - stats.mtimeMs > freshMs) return known.file;
    const at = Date.now();
    const file = await read(path, stats.look, maxBytes);
    known = { look: stats.look, at, file };
    return file;
  };
}

type Look = { kind: "there"; look: string; mtimeMs: number };

async function look(path: string): Promise<Look | Exclude<FileText, { kind: "text" }>> {
  try {
    const stats = await stat(path);
    return { kind: "there", look: lookOf(stats), mtimeMs: stats.mtimeMs };
  } catch (error) {
    const failure = fileFailure(path, error);
    return isMissing(failure) ? { kind: "missing" } : { kind: "unreadable", why: failure.message };
  }
}

const lookOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string => [dev, ino, size, mtimeMs, ctimeMs].join(":");

async function read(path: string, look: string, maxBytes: number): Promise<FileText> {
  const text = await readFileText(path, { maxBytes });
  if (text.ok) return { kind: "text", text: text.value, stamp: `${look}:${hash(text.value)}` };
  return isMissing(text.error) ? { kind: "missing" } : { kind: "unreadable", why: text.error.message };
}

/** Tells two texts apart that share time and size (FNV-1a, 32 bits). */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum >>> 0;
}
