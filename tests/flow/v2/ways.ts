import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Packed } from "../../package/packed.ts";
import type { IsolatedHome } from "../../rig/host/isolated-home.ts";
import type { PluginEntry } from "../../rig/host/project.ts";

/** How a person may hand the directory of the package to a 2.x host (docs/hosts.md). */
export type Way = {
  title: string;
  /** Entries of the global `opencode.json`, given what was built. */
  plugins?: (packed: Packed) => unknown[];
  key?: "plugin";
  /** Puts files where the host finds them by itself. */
  place?: (packed: Packed, home: IsolatedHome) => void;
  installed?: boolean;
  options?: Record<string, unknown>;
  /** False: loaded by way of a loose file, so nothing tells the host of the terminal part. */
  terminal?: false;
};

export const installedAt = ({ project }: Packed) => join(project, "node_modules/opencode-beckon");
export const pluginsOf = (folder: string) => {
  mkdirSync(join(folder, "plugins"), { recursive: true });
  return join(folder, "plugins/beckon");
};

/** A file that only opens the package's door. */
function oneLine(folder: string, directory: string) {
  const door = pathToFileURL(join(directory, "index.js")).href;
  writeFileSync(`${pluginsOf(folder)}.js`, `export { default } from ${JSON.stringify(door)};\n`);
}

/** Entries as 1.18's rig wants them: a text, or a text with options. */
export function asEntry(entry: unknown): PluginEntry {
  if (typeof entry === "string") return entry;
  const [target, options]: unknown[] = Array.isArray(entry) ? entry : [];
  if (typeof target !== "string") throw new Error("no such entry");
  return [target, { ...Object(options) }];
}

export const ways: Way[] = [
  { title: "by its name", plugins: () => ["opencode-beckon"], installed: true },
  { title: "by its name and version", plugins: () => ["opencode-beckon@0.1.0"], installed: true },
  { title: "by its name with options", plugins: () => [{ package: "opencode-beckon", options: {} }], installed: true },
  { title: "by its directory, installed", plugins: (packed) => [installedAt(packed)] },
  { title: "by its directory, copied without node_modules", plugins: ({ copy }) => [copy] },
  { title: "by the file URL of its directory", plugins: ({ copy }) => [pathToFileURL(copy).href] },
  { title: "by its directory with options", plugins: ({ copy }) => [{ package: copy, options: { sound: false } }] },
  { title: "by the key 1.x uses", plugins: ({ copy }) => [copy], key: "plugin" },
  { title: "by the tuple 1.x uses", plugins: ({ copy }) => [[copy, {}]], key: "plugin" },
  {
    title: "by a directory relative to the config file",
    plugins: () => ["./here/beckon"],
    place: ({ copy }, { globalConfig }) => cpSync(copy, join(globalConfig, "here/beckon"), { recursive: true }),
  },
  {
    title: "from .opencode/plugins",
    place: ({ copy }, { project }) => cpSync(copy, pluginsOf(join(project, ".opencode")), { recursive: true }),
  },
  {
    title: "from a link in .opencode/plugins",
    place: (packed, { project }) => symlinkSync(installedAt(packed), pluginsOf(join(project, ".opencode"))),
  },
  {
    title: "from the global plugins folder",
    place: ({ copy }, { globalConfig }) => cpSync(copy, pluginsOf(globalConfig), { recursive: true }),
  },
  {
    title: "by a file of one line in .opencode/plugins",
    place: (packed, { project }) => oneLine(join(project, ".opencode"), installedAt(packed)),
    terminal: false,
  },
  {
    title: "by a file of one line in the global plugins folder",
    place: (packed, { globalConfig }) => oneLine(globalConfig, installedAt(packed)),
    terminal: false,
  },
];

/** 1.18 uses what it finds in its cache, and asks no registry then (opencode 1.18.33). */
const asInstalled = ({ project }: Packed, { env }: IsolatedHome) => {
  const cache = join(env.XDG_CACHE_HOME ?? "", "opencode/packages/opencode-beckon@0.1.0");
  mkdirSync(cache, { recursive: true });
  symlinkSync(join(project, "node_modules"), join(cache, "node_modules"));
};
/** The same for the real 1.18 (opencode 1.18.33). */
export const waysOf118: Pick<Way, "title" | "plugins" | "place">[] = [
  { title: "by its name and version", plugins: () => ["opencode-beckon@0.1.0"], place: asInstalled },
  { title: "by its directory", plugins: ({ copy }) => [copy] },
  { title: "by its directory with options", plugins: ({ copy }) => [[copy, {}]] },
  { title: "by the file URL of its directory", plugins: ({ copy }) => [pathToFileURL(copy).href] },
  { title: "by its server file", plugins: ({ copy }) => [pathToFileURL(join(copy, "dist/server/index.js")).href] },
  {
    title: "by a directory relative to the config file",
    plugins: () => ["./here/beckon"],
    place: ({ copy }, { project }) => cpSync(copy, join(project, "here/beckon"), { recursive: true }),
  },
  {
    title: "by a file of one line in .opencode/plugins",
    place: ({ copy }, { project }) => oneLine(join(project, ".opencode"), copy),
  },
  {
    title: "by a file of one line in the global plugins folder",
    place: ({ copy }, { globalConfig }) => oneLine(globalConfig, copy),
  },
];
