import { constants } from "node:fs";
import { lstat, open, stat } from "node:fs/promises";
import {
  decodeText,
  type FileBytes,
  type Opened,
  openRegularFile,
  type ReadOptions,
  type ReadTrouble,
  readRegularFile,
} from "../../shared/read-regular-file.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type FileFailure, fileFailure } from "./file-error.ts";

/** The server part's reader of files: see `shared/read-regular-file.ts`. Nobody beside it opens one to read. */
const disk = { stat, lstat, open, constants };

export async function readFileBytes(path: string, options: ReadOptions): Promise<Result<FileBytes, FileFailure>> {
  const read = await readRegularFile(disk, path, options);
  return read.ok ? read : fail(failureOf(path, read.error));
}

/** Text that gives the very bytes of the file when it is written as UTF-8, a byte order mark included. */
export async function readFileText(path: string, options: ReadOptions): Promise<Result<string, FileFailure>> {
  const read = await readFileBytes(path, options);
  return read.ok ? textOf(path, read.value.bytes) : read;
}

/** As `readFileText`; undefined where there is no such file. */
export async function readTextIfAny(
  path: string,
  options: ReadOptions,
): Promise<Result<string | undefined, FileFailure>> {
  const read = await readFileText(path, options);
  return !read.ok && isMissing(read.error) ? ok(undefined) : read;
}

/** For who reads on in a file that grows. The caller closes it. */
export async function openToRead(path: string): Promise<Result<Opened, FileFailure>> {
  const opened = await openRegularFile(disk, path);
  return opened.ok ? opened : fail(failureOf(path, opened.error));
}

/** Nothing stands there, or a part of the path is a file. */
export const isMissing = ({ kind }: FileFailure): boolean => kind === "missing" || kind === "not-a-folder";

function textOf(path: string, bytes: Uint8Array): Result<string, FileFailure> {
  const text = decodeText(bytes);
  if (text !== undefined) return ok(text);
  const { line, column } = firstOtherByte(bytes);
  const place = `line ${line}, byte ${column}`;
  return fail({ kind: "not-text", message: `${path}: is not UTF-8 text (${place}); save it as UTF-8` });
}

/** Where lenient reading loses a byte. 1-based; bytes, because an editor would not agree about the characters. */
function firstOtherByte(bytes: Uint8Array): { line: number; column: number } {
  const again = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const other = bytes.findIndex((byte, at) => again[at] !== byte);
  const before = bytes.subarray(0, other === -1 ? bytes.length : other);
  const lineStart = before.lastIndexOf(0x0a) + 1;
  return {
    line: before.reduce((lines, byte) => lines + (byte === 0x0a ? 1 : 0), 1),
    column: before.length - lineStart + 1,
  };
}

function failureOf(path: string, trouble: ReadTrouble): FileFailure {
  if (trouble.kind === "system") return fileFailure(path, trouble.error);
  return { kind: trouble.kind, message: `${path}: ${trouble.words}` };
}
