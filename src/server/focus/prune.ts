import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { guarded } from "../../shared/guard.ts";
import { mayBeSame, processFacts, type System } from "../../shared/process-start.ts";
import {
  type Descriptor,
  maxDescriptorBytes,
  readDescriptor,
  relayIDFromName,
  socketProblem,
  unixPath,
  unixURL,
} from "../../shared/rendezvous.ts";
import { readFileText } from "../files/read-file.ts";

/** A `serve` ended by a signal cleans nothing up; a draft or socket older than this was left by such an end. */
const draftAgeMs = 60_000;
/** A folder with more entries than this is not ours to tidy. */
const most = 1_000;
/** Files looked at a time: each holds a descriptor of the host's process. */
const atOnce = 8;

/**
 * Removes what dead processes left: the pid is gone or somebody else's by now, and nobody listens at the address.
 * Never throws; what cannot be read or removed stays.
 */
export async function prune(folders: readonly string[], wall: number): Promise<void> {
  for (const folder of folders) {
    const names = (await readdir(folder).catch(() => [])).slice(0, most);
    const work = async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        await pruneOne(folder, name, wall).catch(() => {});
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
}

async function pruneOne(folder: string, name: string, wall: number): Promise<void> {
  const path = join(folder, name);
  const facts = await lstat(path);
  const isOld = wall - facts.mtimeMs > draftAgeMs;
  if (name.startsWith(".") && name.endsWith(".tmp")) {
    if (isOld) await rm(path, { force: true });
    return;
  }
  if (isSocketName.test(name)) {
    if (isOld && facts.isSocket() && (await isRefused(unixURL(path)))) await rm(path, { force: true });
    return;
  }
  if (relayIDFromName(name) === undefined || !facts.isFile()) return;
  const text = await readFileText(path, { maxBytes: maxDescriptorBytes, links: "refuse" });
  const read = readDescriptor(text.ok ? text.value : "");
  if (!read.ok || !(await isDead(read.value))) return;
  await rm(path, { force: true });
  await removeSocket(unixPath(read.value.url));
}

const isSocketName = /^[0-9a-f]{16}\.sock$/;

/** What the descriptor of a dead relay names, when that is such a socket as relays make, and ours. */
async function removeSocket(path: string | undefined): Promise<void> {
  if (path === undefined || !isSocketName.test(basename(path))) return;
  if (socketProblem(await lstat(path), process.getuid?.()) === undefined) await rm(path, { force: true });
}

const system: System = { poke: (pid) => process.kill(pid, 0), read: (path) => readFile(path, "utf8") };

async function isDead(descriptor: Descriptor): Promise<boolean> {
  const facts = await processFacts(system, descriptor.pid);
  return !mayBeSame(facts, descriptor.startedAt) && (await isRefused(descriptor.url));
}

/** Only an active refusal counts, or a socket that is gone: a machine under load answers late, and that is no proof of death. */
function isRefused(url: string): Promise<boolean> {
  const path = unixPath(url);
  const isOver = (code: unknown) => code === "ECONNREFUSED" || (path !== undefined && code === "ENOENT");
  return new Promise((answer) => {
    const socket = path === undefined ? connect(portOf(url)) : connect({ path });
    const end = (refused: boolean) => {
      socket.destroy();
      answer(refused);
    };
    const lives = guarded("relay", () => end(false));
    const failed = guarded("relay", (error: Error) => end("code" in error && isOver(error.code)));
    socket.unref();
    socket.setTimeout(1_000, lives);
    socket.once("connect", lives);
    socket.once("error", failed);
  });
}

function portOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}
