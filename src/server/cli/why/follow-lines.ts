import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenFile } from "../../../shared/read-regular-file.ts";
import { openToRead } from "../../files/read-file.ts";

const pollMs = 250;
const chunkBytes = 64 * 1_024;
/** Ours have at most 4 KiB. */
const longestLine = 1_024 * 1_024;

/**
 * The lines that are added to a file from the moment this resolves, until aborted. A file that comes later, is rotated
 * or cut is followed on; what stood in it before a rotation is read to its end.
 */
export async function followLines(path: string, signal: AbortSignal): Promise<AsyncGenerator<string>> {
  return follow(await openAtEnd(path), path, signal);
}

async function* follow(start: Followed | undefined, path: string, signal: AbortSignal): AsyncGenerator<string> {
  let file = start;
  let rest = "";
  try {
    for (let replaced = false; !signal.aborted; ) {
      const lines = (rest + (file === undefined ? "" : await readOn(file))).split("\n");
      rest = (lines.pop() ?? "").slice(-longestLine);
      yield* lines;
      if (lines.length > 0) continue;
      if (replaced) {
        await file?.handle.close();
        file = await openAt(path, 0);
        rest = "";
      }
      replaced = !replaced && (await isReplaced(path, file)); // then the old one is read once more: it may have grown meanwhile
      if (!replaced) await wait(signal);
    }
  } finally {
    await file?.handle.close();
  }
}

const wait = (signal: AbortSignal) => pause(pollMs, undefined, { signal }).catch(() => undefined);

type Followed = { handle: OpenFile; offset: number; decoder: InstanceType<typeof TextDecoder> };

async function openAt(path: string, offset: number): Promise<Followed | undefined> {
  const opened = await openToRead(path);
  return opened.ok ? { handle: opened.value.file, offset, decoder: new TextDecoder() } : undefined;
}

async function openAtEnd(path: string): Promise<Followed | undefined> {
  const file = await openAt(path, 0);
  if (file !== undefined) file.offset = (await file.handle.stat()).size;
  return file;
}

async function readOn(file: Followed): Promise<string> {
  const buffer = Buffer.alloc(chunkBytes);
  const { bytesRead } = await file.handle.read(buffer, 0, chunkBytes, file.offset);
  file.offset += bytesRead;
  return file.decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
}

async function isReplaced(path: string, file: Followed | undefined): Promise<boolean> {
  const now = await stat(path).catch(() => undefined);
  if (now === undefined || file === undefined) return now !== undefined;
  const held = await file.handle.stat();
  return now.ino !== held.ino || held.size < file.offset;
}
