import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { nativeImport } from "./native-import.ts";
import type { PluginFiles } from "./plugin-files.ts";
import { type Definition, readServerModule } from "./plugin-module.ts";
import type { PluginContext } from "./server-context.ts";

/**
 * How a changed plugin gets a new module. `query`: its entry's address changes, as the alpha did it, and what that entry
 * imports stays. `copy`: all of it is new, as after an update.
 */
export type ReloadBy = "query" | "copy";
export type PluginImports = ReturnType<typeof createPluginImports>;

/** Not part of what a plugin runs from. */
const left = new Set(["node_modules", ".git", "src", "tests", "docs"]);

/**
 * A module is evaluated once a process, and its instances share what it keeps (observed document). §2.4: a changed
 * local plugin is imported anew, so its module-level state starts over; a package's is not.
 */
export function createPluginImports(by: ReloadBy) {
  const generations = new Map<string, number>();
  const copies = new Set<string>();

  /** Inside the plugin's own folder, so that what it needs is found from there as before. */
  function copyOf(target: string, generation: number): string {
    const cache = join(target, "node_modules/.cache");
    mkdirSync(cache, { recursive: true });
    const folder = join(cache, `conformance-${process.pid}-${generation}`);
    if (copies.has(folder)) return folder;
    copies.add(folder);
    for (const name of readdirSync(target))
      if (!left.has(name)) cpSync(join(target, name), join(folder, name), { recursive: true });
    return folder;
  }

  return {
    /** The file changed: whoever imports it from now on gets another module. */
    changed: (path: string) => void generations.set(path, (generations.get(path) ?? 0) + 1),
    async load({ target, server, fresh }: PluginFiles): Promise<Definition<PluginContext>> {
      const generation = generations.get(server) ?? 0;
      if (!fresh) return readServerModule(await nativeImport(server));
      if (by === "query" || generation === 0)
        return readServerModule(await nativeImport(server, `?mtime=${generation}`));
      return readServerModule(await nativeImport(join(copyOf(target, generation), relative(target, server))));
    },
    removeCopies() {
      for (const folder of copies) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
