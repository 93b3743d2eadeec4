import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 250;
const chunkBytes = 64 * 1_024;

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
      rest = lines.pop() ?? "";
      yield* lines;
      if (lines.length > 0) continue;
      if (replaced) {
        await file?.handle.close();
        file = await openAt(path, 0);
        rest = "";
        replaced = false;
      } else {
        replaced = await isReplaced(path, file); // then the old one is read once more: it may have grown meanwhile
        if (!replaced) await pause(pollMs, undefined, { signal }).catch(() => undefined);
      }
    }
  } finally {
    await file?.handle.close();
  }
}

type Followed = { handle: FileHandle; offset: number; decoder: InstanceType<typeof TextDecoder> };

async function openAt(path: string, offset: number): Promise<Followed | undefined> {
  const handle = await open(path, "r").catch(() => undefined);
  return handle === undefined ? undefined : { handle, offset, decoder: new TextDecoder() };
}

async function openAtEnd(path: string): Promise<Followed | undefined> {
  const file = await openAt(path, 0);
  if (file !== undefined) file.offset = (await file.handle.stat()).size;
  return file;
}

async function readOn(file: Followed): Promise<string> {
  const { bytesRead, buffer } = await file.handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes, file.offset);
  file.offset += bytesRead;
  return file.decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
}

async function isReplaced(path: string, file: Followed | undefined): Promise<boolean> {
  const now = await stat(path).catch(() => undefined);
  if (now === undefined || file === undefined) return now !== undefined;
  const held = await file.handle.stat();
  return now.ino !== held.ino || held.size < file.offset;
}
