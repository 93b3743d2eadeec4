import { constants } from "node:fs";
import { lstat, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../shared/clock.ts";
import { guarded, promising } from "../shared/guard.ts";
import { mayBeSame, processFacts, type System } from "../shared/process-start.ts";
import { decodeText, readRegularFile } from "../shared/read-regular-file.ts";
import { maxDescriptorBytes, readDescriptor, relayIDFromName } from "../shared/rendezvous.ts";
import type { RelayAddress } from "./relay-client.ts";

/** New relays are seen within a second. */
const lookMs = 500;
/** A full look whatever the folders' times say: processes die without touching a file. */
const fullLookMs = 10_000;
/** Times of folders are only so fine: one that changed this recently is read again. */
const freshMs = 2_000;
const maxRelays = 64;
/** Looked at in one folder: a heap of broken ones must not keep a terminal busy. */
const mostNames = 10_000;

export type FindRelaysDeps = {
  clock: Clock;
  folders: readonly string[];
  /** Called when the set differs from the last one told. */
  onRelays(relays: readonly RelayAddress[]): void;
};

/** Watches where relays are announced. Looking, not watching: a folder may not be there yet. Returns its own end. */
export function findRelays({ clock, folders, onRelays }: FindRelaysDeps): () => void {
  let over = false;
  let cancel = () => {};
  let seen = "";
  let told = "[]";
  let fullLookAt = Number.NEGATIVE_INFINITY;

  const look = promising("relays", undefined, async () => {
    const times = await Promise.all(folders.map(changedAt));
    const now = times.join();
    const isFresh = times.some((time) => clock.wall() - time < freshMs);
    if (now === seen && !isFresh && clock.now() - fullLookAt < fullLookMs) return;
    seen = now;
    fullLookAt = clock.now();
    tell(await readFolders(folders));
  });

  function tell(relays: RelayAddress[]): void {
    const text = JSON.stringify(relays);
    if (over || text === told) return;
    told = text;
    onRelays(relays);
  }

  const again = guarded("relays", async () => {
    await look();
    if (!over) cancel = clock.after(lookMs, again);
  });

  again();
  return () => {
    over = true;
    cancel();
  };
}

const changedAt = (folder: string): Promise<number> =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** Every relay announced by a living process of ours, each id once. */
export async function readFolders(folders: readonly string[]): Promise<RelayAddress[]> {
  const found = new Map<string, RelayAddress>();
  for (const folder of folders) {
    const facts = await lstat(folder).catch(() => undefined);
    if (facts?.isDirectory() !== true || !isOurs(facts)) continue;
    const names = (await readdir(folder).catch(() => [])).filter((name) => relayIDFromName(name) !== undefined);
    for (const name of names.sort().slice(0, mostNames)) {
      if (found.size >= maxRelays) break;
      const relay = await readRelay(folder, name);
      if (relay !== undefined && !found.has(relay.id)) found.set(relay.id, relay);
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function readRelay(folder: string, name: string): Promise<RelayAddress | undefined> {
  const id = relayIDFromName(name);
  const path = join(folder, name);
  const file = await readRegularFile(disk, path, { maxBytes: maxDescriptorBytes, links: "refuse" });
  if (id === undefined || !file.ok || !isOurs(file.value.facts)) return undefined;
  const read = readDescriptor(decodeText(file.value.bytes) ?? "");
  if (!read.ok) return undefined;
  const { url, token, pid, startedAt } = read.value;
  return mayBeSame(await processFacts(system, pid), startedAt) ? { id, url, token } : undefined;
}

const disk = { stat, lstat, open, constants };
const system: System = { poke: (pid) => process.kill(pid, 0), read: (path) => readFile(path, "utf8") };

/** Ours alone: whoever else could write there could have us report to them, and print what they want. */
function isOurs(facts: { uid: number; mode: number }): boolean {
  const me = process.getuid?.();
  return me === undefined || (facts.uid === me && (facts.mode & 0o077) === 0);
}
