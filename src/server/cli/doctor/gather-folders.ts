import { constants, type Stats } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { terminalLogName } from "../../../shared/rendezvous.ts";
import { configPath, type Place, runtimeDir, stateDir } from "../../config/location.ts";
import { errorCode } from "../../files/file-error.ts";
import { logPath } from "../../journal/journal-path.ts";

export type PathState =
  | "missing"
  | "good"
  | "foreign" // belongs to another user
  | "loose" // others may read it
  | "not-a-folder"
  | "not-writable"
  | "read-only"; // its disk is

/** `above`: the folder in which a missing one cannot be made; the state is that folder's then. */
export type PathFact = { path: string; state: PathState; above?: string };
export type FolderFacts = {
  state: PathFact;
  runtime: PathFact;
  /** `$XDG_RUNTIME_DIR` itself, as the login should have made it; undefined when it is not set. */
  systemRuntime: PathFact | undefined;
  configFile: PathFact;
  /** What went wrong in a server, in a terminal. */
  logs: readonly PathFact[];
};

/** Whose our folders are and whether we may write there. A missing one is judged by the folder it would be made in. */
export async function gatherFolders(place: Place): Promise<FolderFacts> {
  const { XDG_RUNTIME_DIR: system } = place.env;
  const logs = [logPath(stateDir(place)), join(stateDir(place), terminalLogName)];
  const [state, runtime, systemRuntime, configFile, ...facts] = await Promise.all([
    folderFact(stateDir(place)),
    folderFact(runtimeDir(place)),
    system ? existingFact(system) : undefined,
    fileFact(configPath(place)),
    ...logs.map(fileFact),
  ]);
  return { state, runtime, systemRuntime, configFile, logs: facts };
}

async function folderFact(path: string): Promise<PathFact> {
  const fact = await existingFact(path);
  if (fact.state !== "missing") return fact;
  const above = await nearestFolder(path);
  const state = await writability(above);
  return state === undefined ? fact : { path, state, above };
}

async function existingFact(path: string): Promise<PathFact> {
  const facts = await statOrNone(path);
  if (facts === undefined) return { path, state: "missing" };
  if (!facts.isDirectory()) return { path, state: "not-a-folder" };
  const state = ownership(facts);
  if (state === "foreign") return { path, state };
  return { path, state: (await writability(path)) ?? state };
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

async function nearestFolder(path: string): Promise<string> {
  const above = dirname(path);
  return above === path || (await statOrNone(above)) !== undefined ? above : nearestFolder(above);
}

/** What keeps us from making something in that folder; undefined when nothing does. */
async function writability(folder: string): Promise<PathState | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return "not-a-folder";
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return errorCode(error) === "EROFS" ? "read-only" : "not-writable";
  }
}
