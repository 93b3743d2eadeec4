import { constants, type Stats } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { configPath, type Place, runtimeDir, stateDir } from "../../config/location.ts";

export type PathState =
  | "missing"
  | "good"
  | "foreign" // belongs to another user
  | "loose" // others may read it
  | "not-a-folder"
  | "not-writable";

export type PathFact = { path: string; state: PathState };
export type FolderFacts = {
  state: PathFact;
  runtime: PathFact;
  /** `$XDG_RUNTIME_DIR` itself; undefined when it is not set. */
  systemRuntime: PathFact | undefined;
  configFile: PathFact;
};

/** Whose our folders are and whether we may write there. A missing one is judged by the folder it would be made in. */
export async function gatherFolders(place: Place): Promise<FolderFacts> {
  const { XDG_RUNTIME_DIR: system } = place.env;
  const [state, runtime, systemRuntime, configFile] = await Promise.all([
    folderFact(stateDir(place)),
    folderFact(runtimeDir(place)),
    system ? folderFact(system) : undefined,
    fileFact(configPath(place)),
  ]);
  return { state, runtime, systemRuntime, configFile };
}

async function folderFact(path: string): Promise<PathFact> {
  const facts = await statOrNone(path);
  if (facts === undefined) return { path, state: (await mayMake(path)) ? "missing" : "not-writable" };
  if (!facts.isDirectory()) return { path, state: "not-a-folder" };
  const state = ownership(facts);
  if (state !== "good" && state !== "loose") return { path, state };
  return { path, state: (await isWritable(path)) ? state : "not-writable" };
}

async function fileFact(path: string): Promise<PathFact> {
  const facts = await statOrNone(path);
  return { path, state: facts === undefined ? "missing" : facts.isSymbolicLink() ? "good" : ownership(facts) };
}

function ownership({ uid, mode }: Stats): PathState {
  const me = process.getuid?.();
  if (me === undefined) return "good"; // Windows: the profile's own rules
  if (uid !== me) return "foreign";
  return (mode & 0o077) === 0 ? "good" : "loose";
}

const statOrNone = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined);

/** Whether the nearest folder that exists lets us make this one. */
async function mayMake(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const facts = await statOrNone(folder);
    if (facts !== undefined) return facts.isDirectory() && isWritable(folder);
    if (folder === dirname(folder)) return false;
  }
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
