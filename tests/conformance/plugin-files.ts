import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { packageEntry } from "./package-exports.ts";

/** Where a plugin's parts lie. `fresh`: its server part may be imported anew (§2.4: npm packages do not hot-reload). */
export type PluginFiles = { target: string; server: string; tui?: string; fresh: boolean };

const extensions = [".js", ".mjs", ".ts"];

function named(directory: string, name: string): string | undefined {
  return extensions.map((extension) => join(directory, name + extension)).find((path) => existsSync(path));
}

const optional = (tui: string | undefined) => (tui === undefined ? {} : { tui });

/** §1.1: a local directory's `server.*`, then `index.*`; its `exports` are ignored. */
export function filesOfDirectory(directory: string): PluginFiles | undefined {
  const server = named(directory, "server") ?? named(directory, "index");
  if (server === undefined) return undefined;
  return { target: directory, server, fresh: true, ...optional(named(directory, "tui")) };
}

/** §1.1: a package by its name: `./server`, then `.`; honours `exports`. */
export function filesOfPackage(name: string, directory: string): PluginFiles | undefined {
  const server = packageEntry(directory, "./server") ?? packageEntry(directory, ".");
  if (server === undefined) return undefined;
  return { target: name, server, fresh: false, ...optional(packageEntry(directory, "./tui")) };
}

/** A directory with a terminal part only, as `cli.json` may name it. */
export const tuiOfDirectory = (directory: string): string | undefined => named(directory, "tui");
export const tuiOfPackage = (directory: string): string | undefined => packageEntry(directory, "./tui");

export const isDirectory = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
export const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function children(directory: string): string[] {
  return isDirectory(directory)
    ? readdirSync(directory)
        .sort()
        .map((name) => join(directory, name))
    : [];
}

/**
 * §2.2: each immediate child of `plugin/` and `plugins/` that is a directory, a `.ts`/`.js` file, or a link to one.
 * A helper file beside a single-file plugin counts as well, and fails.
 */
export function discoveredServers(configDirectory: string): PluginFiles[] {
  const found = ["plugin", "plugins"].flatMap((name) => children(join(configDirectory, name)));
  return found.flatMap((path) => {
    const real = realpathSync(path);
    if (isDirectory(real)) return filesOfDirectory(path) ?? [];
    return /\.(ts|js)$/.test(basename(path)) ? { target: path, server: path, fresh: true } : [];
  });
}

/** §2.2: the terminal scans `plugins/` alone and takes directories with a `tui.*`; never loose files. */
export function discoveredTuis(configDirectory: string): { target: string; tui: string }[] {
  return children(join(configDirectory, "plugins")).flatMap((path) => {
    const tui = isDirectory(path) ? tuiOfDirectory(path) : undefined;
    return tui === undefined ? [] : { target: path, tui };
  });
}
