import { join } from "node:path";
import { type Directive, isPath, packageName, selects, serverDirectives } from "./plugin-config.ts";
import {
  discoveredServers,
  filesOfDirectory,
  filesOfPackage,
  isDirectory,
  isFile,
  type PluginFiles,
} from "./plugin-files.ts";
import type { PluginImports } from "./plugin-imports.ts";
import type { Definition } from "./plugin-module.ts";
import type { PluginContext } from "./server-context.ts";

/** One plugin of a location's list, in boot order. */
export type Entry = {
  target: string;
  options: Record<string, unknown>;
  files?: PluginFiles;
  definition?: Definition<PluginContext>;
  error?: string;
  enabled: boolean;
};

export type LoadingDeps = {
  globalConfig: string;
  /** What "installed" means here: package or git spec → unpacked directory. */
  packages: Record<string, string>;
  /** The host's own plugins, given as the objects a module would export; before all others. */
  builtins: { id: string; setup(context: PluginContext): unknown }[];
  imports: PluginImports;
  warn(line: string): void;
};

type Found = PluginFiles | { failure: string } | undefined;

function find({ packages, warn }: LoadingDeps, target: string): Found {
  if (isPath(target)) {
    if (isDirectory(target)) return filesOfDirectory(target) ?? { failure: `No server entry in ${target}` };
    if (!isFile(target)) return { failure: `Plugin path not found: ${target}` };
    warn(`configured plugin path must be a directory: ${target}`); // §2.1: skipped, not failed
    return undefined;
  }
  const directory = packages[target] ?? packages[packageName(target)];
  if (directory === undefined) return { failure: `Could not install ${target}` };
  return filesOfPackage(packageName(target), directory) ?? { failure: `No server entry in ${target}` };
}

const message = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function loadFiles(deps: LoadingDeps, files: PluginFiles, options: Record<string, unknown>): Promise<Entry> {
  const entry: Entry = { target: files.target, options, files, enabled: true };
  try {
    return { ...entry, definition: await deps.imports.load(files) };
  } catch (error) {
    return { ...entry, error: message(error) };
  }
}

async function loadTarget(deps: LoadingDeps, { target, options }: Extract<Directive, { kind: "load" }>) {
  const found = find(deps, target);
  if (found === undefined) return [];
  if ("failure" in found) return [{ target, options, error: found.failure, enabled: true }];
  return [await loadFiles(deps, found, options)];
}

/** §1.2: of two with one id the first stays, and later ones are reported failed. */
function failDuplicates(entries: Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.map(({ definition, ...entry }) => {
    if (definition === undefined) return entry;
    if (!entry.enabled) return { ...entry, definition };
    if (seen.has(definition.id)) return { ...entry, error: `Duplicate plugin ID: ${definition.id}` };
    seen.add(definition.id);
    return { ...entry, definition };
  });
}

/** §2.1, §2.2: what was discovered, then what was configured; selectors turn what is known so far on or off. */
export async function loadPlugins(deps: LoadingDeps, directory: string): Promise<Entry[]> {
  const entries: Entry[] = deps.builtins.map(({ id, setup }) => ({
    target: id,
    options: {},
    definition: { id, setup: (context) => setup(context) },
    enabled: true,
  }));
  for (const folder of [deps.globalConfig, join(directory, ".opencode")])
    for (const files of discoveredServers(folder)) entries.push(await loadFiles(deps, files, {}));
  for (const directive of serverDirectives(deps.globalConfig, directory)) {
    if (directive.kind === "load") entries.push(...(await loadTarget(deps, directive)));
    else
      for (const entry of entries)
        if (entry.definition !== undefined && selects(directive.pattern, entry.definition.id))
          entry.enabled = directive.kind === "enable";
  }
  return failDuplicates(entries);
}
