import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { atExit } from "../../shared/at-exit.ts";
import type { Clock } from "../../shared/clock.ts";
import { unattended } from "../../shared/guard.ts";
import type { Log } from "../../shared/log.ts";
import { decodeText } from "../../shared/read-regular-file.ts";
import { type Descriptor, descriptorName, maxDescriptorBytes } from "../../shared/rendezvous.ts";
import { readFileBytes } from "../files/read-file.ts";
import { makeOurs } from "./own-folder.ts";

/** How often the files are looked after: a cleaner, a clock that was set, a new directory. */
const refreshMs = 10_000;

export type Announcement = {
  /** Folders that hold our file at the moment. */
  places(): readonly string[];
  /** Why it is not in the others. */
  problems(): readonly string[];
  /** Writes again what is missing or differs; called after a change of directories and every 10 s. */
  refresh(): Promise<void>;
  withdraw(): Promise<void>;
};

export type AnnounceDeps = {
  clock: Clock;
  log: Log;
  folders: readonly string[];
  relayID: string;
  describe(): Descriptor;
};

/** Writes `<relay id>.json` (0600) into every folder we may own (0700). No usable folder: `places` is empty. */
export async function announce(deps: AnnounceDeps): Promise<Announcement> {
  const { clock, log, folders, relayID } = deps;
  const name = descriptorName(relayID);
  const told = new Map<string, string>();
  let places: string[] = [];
  let problems: string[] = [];
  let over = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();

  /** What is wrong with that folder; undefined when our file lies there. */
  async function keep(folder: string, text: string): Promise<string | undefined> {
    try {
      await makeOurs(folder);
      await writeIfDifferent(folder, name, text);
      return undefined;
    } catch (error) {
      return `cannot be announced in ${folder}: ${words(error)}`;
    }
  }

  async function write(): Promise<void> {
    if (over) return;
    const text = `${JSON.stringify(deps.describe())}\n`;
    const found = await Promise.all(folders.map(async (folder) => ({ folder, problem: await keep(folder, text) })));
    places = found.filter(({ problem }) => problem === undefined).map(({ folder }) => folder);
    problems = found.flatMap(({ problem }) => problem ?? []);
    if (places.length > 0) for (const { folder, problem } of found) complain(folder, problem);
  }

  /** Once for each new problem. Where no folder is left at all, the caller says so. */
  function complain(folder: string, problem: string | undefined): void {
    if (problem === undefined) told.delete(folder);
    else if (told.get(folder) !== problem) log(`relay: ${problem}`);
    if (problem !== undefined) told.set(folder, problem);
  }

  /** One at a time: a withdrawal must not be overtaken by a write. */
  function refresh(): Promise<void> {
    running = running.then(write).catch((error) => log(`relay: not announced: ${words(error)}`));
    return running;
  }

  function again(): void {
    cancel = clock.after(refreshMs, () =>
      unattended(
        "relay",
        refresh().then(() => over || again()),
      ),
    );
  }

  /** A process that ends without closing us leaves no token behind; after SIGKILL the next relay clears up. */
  function clearUp(): void {
    for (const folder of folders) {
      try {
        rmSync(join(folder, name), { force: true });
      } catch {} // a folder that is gone or nobody's any more
    }
  }

  const forgetAtExit = atExit(clearUp);
  await refresh();
  again();
  return {
    places: () => places,
    problems: () => problems,
    refresh,
    async withdraw() {
      over = true;
      cancel();
      forgetAtExit();
      await running;
      await Promise.all(folders.map((folder) => rm(join(folder, name), { force: true }).catch(() => {})));
      places = [];
    },
  };
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function writeIfDifferent(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  if (await isIntact(path, text)) return;
  const draft = join(folder, `.${name}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Also unread by others: a terminal believes no file they could have written. */
async function isIntact(path: string, text: string): Promise<boolean> {
  const read = await readFileBytes(path, { maxBytes: maxDescriptorBytes, links: "refuse" });
  if (!read.ok) return false;
  const { bytes, facts } = read.value;
  const isLoose = process.getuid !== undefined && (facts.mode & 0o077) !== 0;
  return !isLoose && decodeText(bytes) === text;
}
