import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "../../shared/result.ts";
import { errorCode, type FileErrorKind, type FileFailure, fileFailure } from "./file-error.ts";
import { makeFolder } from "./make-folder.ts";

export type WriteOptions = {
  /** `private`: 0600, in folders of 0700; `keep`: the mode it has, for a new file what the system gives. */
  mode: "private" | "keep";
};

/**
 * Readers see the old file or the new, never half. A link keeps pointing where it points: the file behind it is replaced,
 * or made (a configuration is often a link into a dotfiles folder). The owner stays, also when root writes; what its owner
 * made read-only is not replaced.
 */
export async function writeAtomic(
  path: string,
  text: string | Uint8Array,
  { mode }: WriteOptions = { mode: "private" },
): Promise<Result<void, FileFailure>> {
  try {
    const target = await behindLinks(path);
    await makeFolder(dirname(target), mode === "private" ? 0o700 : 0o777);
    const before = await stat(target).catch(unlessMissing);
    const refused = before === undefined ? undefined : refusal(before);
    if (refused !== undefined) return fail({ kind: refused.kind, message: `${path}: ${refused.words}` });
    await removeOldDrafts(target);
    const draft = draftFor(target);
    try {
      await writeDraft(draft, text, before, mode);
      await rename(draft, target);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
    return ok(undefined);
  } catch (error) {
    return fail(fileFailure(path, error));
  }
}

type Refusal = { kind: FileErrorKind; words: string };

function refusal(before: Stats): Refusal | undefined {
  if (before.isDirectory()) return { kind: "not-a-file", words: "is a folder, not a file" };
  if (!before.isFile()) return { kind: "not-a-file", words: "is not a regular file" };
  const me = process.getuid?.();
  if (me === undefined) return undefined; // Windows: neither owners nor modes
  if (me !== 0 && before.uid !== me)
    return { kind: "denied", words: "belongs to another user, who alone can change it" };
  if ((before.mode & 0o200) !== 0) return undefined;
  const mode = (before.mode & 0o777).toString(8).padStart(4, "0");
  return { kind: "cannot-replace", words: `is read-only (mode ${mode}); to have it changed: chmod u+w` };
}

async function writeDraft(
  draft: string,
  text: string | Uint8Array,
  before: Stats | undefined,
  mode: WriteOptions["mode"],
): Promise<void> {
  const file = await open(draft, "wx", mode === "private" || before !== undefined ? 0o600 : 0o666);
  try {
    await file.writeFile(text);
    if (before !== undefined) await giveTo(file, before, mode);
    if (before !== undefined && mode === "keep") await file.chmod(before.mode & 0o7777);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A group that may not be given matters only where the mode lets it in. */
async function giveTo(file: FileHandle, { uid, gid }: Stats, mode: WriteOptions["mode"]): Promise<void> {
  const made = await file.stat();
  if (made.uid === uid && made.gid === gid) return;
  await file.chown(uid, gid).catch((error: unknown) => {
    if (made.uid !== uid || mode === "keep") throw error;
  });
}

/** A write takes milliseconds; a draft older than this, or from the future, was left by a process that was killed. */
const draftMs = 60_000;
/** A folder with more entries than this is not ours to tidy. */
const most = 2_000;

/** In the same folder: rename cannot cross devices. */
export const draftFor = (target: string): string => `${target}.${randomUUID()}.tmp`;

export async function removeOldDrafts(target: string): Promise<void> {
  const names = await readdir(dirname(target)).catch(() => []);
  const isDraft = (name: string) =>
    name.startsWith(`${basename(target)}.`) && /^[0-9a-f-]{36}\.tmp$/.test(name.slice(basename(target).length + 1));
  for (const name of names.length > most ? [] : names.filter(isDraft)) {
    const draft = join(dirname(target), name);
    const facts = await lstat(draft).catch(() => undefined);
    if (facts?.isFile() === true && Math.abs(Date.now() - facts.mtimeMs) > draftMs)
      await rm(draft, { force: true }).catch(() => undefined);
  }
}

const mostLinks = 40;

/** The real file a path stands for, there or not; the path itself when there is no link. */
export async function behindLinks(path: string, links = mostLinks): Promise<string> {
  const real = await realpath(path).catch(unlessMissing);
  if (real !== undefined) return real;
  if (dirname(path) === path) return path;
  const folder = await behindLinks(dirname(path), links);
  const here = join(folder, basename(path));
  const target = await readlink(here).catch(() => undefined);
  if (target === undefined) return here;
  if (links === 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
  return behindLinks(resolve(folder, target), links - 1);
}

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT") throw error;
}
