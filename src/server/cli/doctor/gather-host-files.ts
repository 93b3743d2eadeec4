import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Place } from "../../config/location.ts";
import { readFileText } from "../../files/read-file.ts";
import {
  exists,
  globalFolder,
  maxHostFileBytes,
  pathsFor,
  projectFolder,
  type Role,
} from "../../host-files/host-files.ts";
import { type AttentionFacts, attentionFacts, foldersFor } from "../../host-files/native-attention.ts";
import { whatIsWrong } from "../install/edit-failure.ts";
import { entriesOf, type PluginKey } from "../install/entries.ts";
import { namesIn, pathOf, readManifest } from "../install/package-name.ts";
import { isPath } from "../install/plugin-entry.ts";

/** What a path in an entry leads to; undefined for a package's name. */
export type EntryTarget =
  | { kind: "missing" | "file" | "tarball" | "unbuilt" }
  | { kind: "folder"; version: string | undefined };

export type EntryFact = { key: PluginKey; spec: string; ours: boolean; target: EntryTarget | undefined };

/** `unreadable`: why the file could not be read at all; then nothing else is known of it. */
export type HostFileFacts = AttentionFacts & {
  isJSON: boolean;
  unreadable?: string;
  entries: readonly EntryFact[];
};

/** Every file of opencode that lists plugins here: global, project, .opencode, and loose plugin files. */
export async function gatherHostFiles(place: Place, cwd: string): Promise<HostFileFacts[]> {
  const folders = await foldersFor(place, cwd);
  const project = await projectFolder(cwd);
  const configured = (["server", "terminal", "client"] as const).flatMap((role) =>
    pathsFor(role, role === "client" ? [globalFolder(place)] : folders).map((path) => fileFacts(role, path)),
  );
  const loose = looseFiles(folders.filter((folder) => folder !== project));
  return [...(await Promise.all(configured)).flat(), ...(await loose)];
}

async function fileFacts(role: Role, path: string): Promise<HostFileFacts[]> {
  const read = await readFileText(path, { maxBytes: maxHostFileBytes });
  if (!read.ok && ["missing", "not-a-folder"].includes(read.error.kind)) return [];
  const text = read.ok ? read.value : "";
  const folder = dirname(path);
  const entries = entriesOf(text, await namesIn(folder, text)).map(async ({ key, spec, ours }) => ({
    key,
    spec,
    ours,
    target: isPath(spec) ? await targetOf(folder, spec, ours) : undefined,
  }));
  return [
    {
      ...attentionFacts(role, path, text),
      isJSON: text.trim() === "" || whatIsWrong(text) === undefined,
      ...(read.ok ? {} : { unreadable: read.error.message }),
      entries: await Promise.all(entries),
    },
  ];
}

async function targetOf(folder: string, spec: string, ours: boolean): Promise<EntryTarget> {
  const path = pathOf(folder, spec);
  const facts = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || facts === undefined) return { kind: "missing" };
  if (!facts.isDirectory()) return { kind: path.endsWith(".tgz") ? "tarball" : "file" };
  const manifest = await readManifest(path);
  if (ours && manifest?.name === "opencode-beckon" && !(await exists(join(path, "dist")))) return { kind: "unbuilt" };
  return { kind: "folder", version: typeof manifest?.version === "string" ? manifest.version : undefined };
}

/** More files than this in a plugin folder are not looked into. */
const mostLoose = 200;
const maxLooseBytes = 4 * 1_024 * 1_024;

/** Files opencode loads because of where they lie: `plugin/*.js`, `plugins/*.ts`. */
async function looseFiles(folders: readonly string[]): Promise<HostFileFacts[]> {
  const places = folders.flatMap((folder) => ["plugin", "plugins"].map((name) => join(folder, name)));
  const paths = (await Promise.all(places.map(listed))).flat();
  return Promise.all(paths.map(looseFacts));
}

async function looseFacts(path: string): Promise<HostFileFacts> {
  const isFolder = await exists(join(path, "package.json"));
  const text = await readFileText(isFolder ? join(path, "package.json") : path, { maxBytes: maxLooseBytes });
  const ours = text.ok && text.value.includes("opencode-beckon");
  return {
    role: "loose",
    path,
    isJSON: true,
    entries: [{ key: "plugin", spec: path, ours, target: undefined }],
    switchedOff: [],
    attention: undefined,
    attentionNotifications: undefined,
  };
}

async function listed(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).slice(0, mostLoose);
  const isPlugin = async (name: string) => /\.[jt]s$/.test(name) || (await exists(join(folder, name, "index.js")));
  const plugins = await Promise.all(names.map(isPlugin));
  return names.filter((_, at) => plugins[at]).map((name) => join(folder, name));
}
