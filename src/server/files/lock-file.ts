import { randomUUID } from "node:crypto";
import { link, lstat, open, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../shared/result.ts";
import { errorCode, fileFailure } from "./file-error.ts";
import { makeFolder } from "./make-folder.ts";
import { readFileText } from "./read-file.ts";
import { draftFor, removeOldDrafts } from "./write-atomic.ts";

export type LockFailure =
  | { kind: "busy"; message: string } // somebody else held it until the deadline
  | { kind: "unusable"; message: string }; // the lock file cannot be made

export type LockOptions = {
  /** How long to wait for another holder, ms; 0 = one try. */
  waitMs: number;
};

/** A holder we cannot ask (another machine, half a file) is believed to be gone after this. */
const silentMs = 30_000;
/** A process of ours that lives is believed for longer: its number may by now belong to another program. */
const livingMs = 600_000;
const maxBytes = 1_024;

/**
 * Runs while this process alone holds the file at `path`. A lock whose holder is gone is broken. What `run` throws is
 * thrown after the lock is released.
 */
export async function withLockFile<T>(
  path: string,
  { waitMs }: LockOptions,
  run: () => Promise<T>,
): Promise<Result<T, LockFailure>> {
  const mine = `${process.pid} ${hostname()} ${randomUUID()}`;
  const until = performance.now() + waitMs;
  try {
    await makeFolder(dirname(path));
    await removeOldDrafts(path);
    while (!(await create(path, mine))) {
      const broken = await breakStale(path, mine);
      if (broken) continue;
      if (performance.now() >= until) return fail({ kind: "busy", message: `${path}: another process holds it` });
      await pause();
    }
  } catch (error) {
    return fail({ kind: "unusable", message: fileFailure(path, error).message });
  }
  try {
    return ok(await run());
  } finally {
    await release(path, mine);
  }
}

/** With its holder from the first moment on: a process may be killed at any step. */
async function create(path: string, holder: string): Promise<boolean> {
  if ((await lstat(path).catch(() => undefined)) !== undefined) return false;
  const draft = draftFor(path);
  try {
    await writeFile(draft, holder, { flag: "wx", mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return false;
    if (code !== undefined && withoutLinks.has(code)) return createInPlace(path, holder);
    throw error;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** What file systems say that have no second names for a file, such as exFAT. */
const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

async function createInPlace(path: string, holder: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(holder).finally(() => file.close());
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Only one process breaks at a time, and only what it has looked at: a fresh lock must not be taken for the stale one. */
async function breakStale(path: string, mine: string): Promise<boolean> {
  if (!(await isStale(path))) return false;
  const breaker = `${path}.break`;
  if (!(await create(breaker, mine))) {
    if (await isStale(breaker)) await rm(breaker, { force: true });
    return false;
  }
  try {
    if (!(await isStale(path))) return false;
    await rm(path, { force: true });
    return true;
  } finally {
    await rm(breaker, { force: true });
  }
}

/** What is no file was never a lock of ours, and nobody holds it. */
async function isStale(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return false;
  if (!facts.isFile()) return true;
  const [pid, host] = (await holderOf(path)).split(" ");
  const old = Math.abs(Date.now() - facts.mtimeMs); // from the future: the clock was wrong, then or now
  if (host !== hostname()) return old > silentMs;
  return isDead(Number(pid)) || old > livingMs;
}

async function holderOf(path: string): Promise<string> {
  const text = await readFileText(path, { maxBytes, links: "refuse" });
  return text.ok ? text.value : "";
}

function isDead(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}

async function release(path: string, mine: string): Promise<void> {
  if ((await holderOf(path)) === mine) await rm(path, { force: true }).catch(() => undefined);
}

/** Keeps the process alive on purpose: a command must not end in the middle of a save. Bounded by `waitMs`. */
const pause = () => new Promise<void>((resume) => setTimeout(resume, 2 + Math.random() * 8));
