import { closeSync, constants, fstatSync, openSync, type Stats, writeSync } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode, fileFailure } from "./file-error.ts";
import { withLockFile } from "./lock-file.ts";
import { makeFolder, makeFolderSync } from "./make-folder.ts";

export type LineFile = {
  /** Queues one line; never throws, never waits. */
  append(line: string): void;
  /** For a process that ends right now: written before it returns, and never rotated. Never throws. */
  appendNow(line: string): void;
  /** Resolves when everything queued so far is in the file or has failed. */
  flush(): Promise<void>;
};

export type LineFileOptions = {
  path: string;
  /** At this size the file becomes `<path>.1` and a new one begins. */
  rotateBytes: number;
  /** Told once for each new reason; silent again after a line got through. */
  onFailure: (why: string) => void;
};

/** A disk that hangs must not fill the memory. */
const maxQueued = 1_000;
const mostBytes = 4_096;
/** A pipe in the file's place must not make us wait for its reader. */
const waitForNobody = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const create = constants.O_APPEND | constants.O_CREAT | waitForNobody;
/** Reading is for the torn end of a line somebody could not finish. */
const appendFlags = constants.O_RDWR | create;

/**
 * Appends lines to a file that several processes share. Each line is in one appended write, so lines never mix; order is
 * kept. Rotation happens under a lock file, so that no two processes rotate at once. File 0600, folder 0700.
 */
export function createLineFile({ path, rotateBytes, onFailure }: LineFileOptions): LineFile {
  const waiting: string[] = [];
  let working: Promise<void> | undefined;
  let reported: string | undefined;

  const report = (why: string) => {
    if (why !== reported) onFailure(why);
    reported = why;
  };
  async function work() {
    for (let lines = nextLines(waiting); lines.length > 0; lines = nextLines(waiting)) {
      try {
        const size = await appendText(path, lines.join("\n"));
        reported = undefined;
        if (size >= rotateBytes) await rotate(path, rotateBytes);
      } catch (error) {
        report(fileFailure(path, error).message);
      }
    }
    working = undefined;
  }

  return {
    append(line) {
      if (waiting.length >= maxQueued) return report(`${path}: too many lines wait to be written; some are left out`);
      waiting.push(line);
      working ??= Promise.resolve().then(work);
    },
    appendNow(line) {
      try {
        appendAtOnce(path, `${line}\n`);
      } catch (error) {
        report(fileFailure(path, error).message);
      }
    },
    flush: async () => working,
  };
}

/** Takes as many as fit into one write that no other process can get into; a longer line goes alone. */
function nextLines(waiting: string[]): string[] {
  let bytes = 0;
  const tooMany = waiting.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > mostBytes;
  });
  return waiting.splice(0, tooMany === -1 ? waiting.length : Math.max(1, tooMany));
}

/** The file's size afterwards. */
async function appendText(path: string, text: string): Promise<number> {
  const file = await openForAppend(path);
  try {
    const { size } = regular(await file.stat());
    const bytes = Buffer.from(`${(await endsTorn(file, size)) ? "\n" : ""}${text}\n`);
    const { bytesWritten } = await file.write(bytes); // one call: a loop over parts could mix with other processes' lines
    if (bytesWritten < bytes.length) throw Object.assign(new Error("only a part of it fits"), { code: "ENOSPC" });
    return size + bytes.length;
  } finally {
    await file.close();
  }
}

/** The one synchronous access to a file there is: the process ends, and nothing of it runs any more. */
function appendAtOnce(path: string, line: string): void {
  const file = openForAppendSync(path);
  try {
    regular(fstatSync(file));
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

function openForAppendSync(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | create, 0o600);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makeFolderSync(dirname(path));
    return openSync(path, constants.O_WRONLY | create, 0o600);
  }
}

function regular(facts: Stats): Stats {
  if (facts.isFile()) return facts;
  throw Object.assign(new Error("no regular file"), { code: facts.isDirectory() ? "EISDIR" : "ENXIO" });
}

async function openForAppend(path: string): Promise<FileHandle> {
  return open(path, appendFlags, 0o600).catch(async (error: unknown) => {
    if (errorCode(error) !== "ENOENT") throw error;
    await makeFolder(dirname(path));
    return open(path, appendFlags, 0o600);
  });
}

/** A full disk or a crash can leave half a line; the next one must not be glued to it. */
async function endsTorn(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== 0x0a;
}

/** Whoever comes second finds the file small again, or the lock taken: both mean that it is done. */
async function rotate(path: string, rotateBytes: number): Promise<void> {
  await withLockFile(`${path}.lock`, { waitMs: 0 }, async () => {
    const { size } = await stat(path);
    if (size >= rotateBytes) await rename(path, `${path}.1`);
  });
}
