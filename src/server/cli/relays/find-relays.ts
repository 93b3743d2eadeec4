import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { mayBeSame, processFacts, type System } from "../../../shared/process-start.ts";
import { type Descriptor, maxDescriptorBytes, readDescriptor, relayIDFromName } from "../../../shared/rendezvous.ts";
import { readFileText } from "../../files/read-file.ts";

export type RelayProblem =
  | "foreign" // belongs to another user
  | "loose" // others may read or write it: terminals ignore it
  | "unreadable" // no descriptor, or one of another version
  | "dead"; // its process is gone; the next relay tidies it up

/** One relay's file, usable or not. A relay announces itself in several folders: `id` is what counts. */
export type AnnouncedRelay = { id: string; path: string } & (
  | { problem: RelayProblem }
  | { problem?: undefined; descriptor: Descriptor }
);

/** More than this in one folder nobody announced. */
const most = 10_000;

/** Every relay's file in those folders, each id once; a usable copy wins over one that is not. */
export async function findRelays(folders: readonly string[]): Promise<AnnouncedRelay[]> {
  const found = new Map<string, AnnouncedRelay>();
  for (const folder of folders) {
    const names = (await readdir(folder).catch(() => [])).filter((name) => relayIDFromName(name) !== undefined);
    for (const name of names.sort().slice(0, most)) {
      const id = relayIDFromName(name) ?? "";
      const relay = await readRelay(id, join(folder, name));
      if (relay !== undefined && found.get(id)?.problem !== undefined) found.delete(id);
      if (relay !== undefined && !found.has(id)) found.set(id, relay);
    }
  }
  return [...found.values()];
}

export type LiveRelay = Extract<AnnouncedRelay, { problem?: undefined }>;
export const isLive = (relay: AnnouncedRelay): relay is LiveRelay => relay.problem === undefined;

async function readRelay(id: string, path: string): Promise<AnnouncedRelay | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return undefined; // gone in between
  const me = process.getuid?.();
  if (me !== undefined && facts.uid !== me) return { id, path, problem: "foreign" };
  if (me !== undefined && (facts.mode & 0o077) !== 0) return { id, path, problem: "loose" };
  const text = await readFileText(path, { maxBytes: maxDescriptorBytes, links: "refuse" });
  const read = readDescriptor(text.ok ? text.value : "");
  if (!read.ok) return { id, path, problem: "unreadable" };
  const { pid, startedAt } = read.value;
  if (!mayBeSame(await processFacts(system, pid), startedAt)) return { id, path, problem: "dead" };
  return { id, path, descriptor: read.value };
}

const system: System = { poke: (pid) => process.kill(pid, 0), read: (path) => readFile(path, "utf8") };
