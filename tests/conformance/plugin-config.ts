import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "jsonc-parser";

/** §2.1: an entry names something to load, or turns ids on or off. */
export type Directive =
  | { kind: "load"; target: string; options: Record<string, unknown> }
  | { kind: "enable" | "disable"; pattern: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isSelector = (entry: string) =>
  /^-/.test(entry) || entry === "*" || /^opencode\./.test(entry) || entry.endsWith(".*");

/** §2.1: relative to the config file. Package and git specs stay as they are. */
function absolute(target: string, from: string): string {
  if (target.startsWith("file:")) return fileURLToPath(target);
  return target.startsWith("./") || target.startsWith("../") ? resolve(from, target) : target;
}

function directive(entry: unknown, from: string): Directive | undefined {
  if (typeof entry === "string") {
    if (isSelector(entry))
      return entry.startsWith("-") ? { kind: "disable", pattern: entry.slice(1) } : { kind: "enable", pattern: entry };
    return { kind: "load", target: absolute(entry, from), options: {} };
  }
  // `plugin` of 1.x: [target, options]
  if (Array.isArray(entry) && typeof entry[0] === "string")
    return { kind: "load", target: absolute(entry[0], from), options: isRecord(entry[1]) ? entry[1] : {} };
  if (isRecord(entry) && typeof entry.package === "string")
    return {
      kind: "load",
      target: absolute(entry.package, from),
      options: isRecord(entry.options) ? entry.options : {},
    };
  return undefined;
}

function directivesOf(file: string): Directive[] {
  if (!existsSync(file)) return [];
  const config: unknown = parse(readFileSync(file, "utf8"));
  if (!isRecord(config)) return [];
  // §2.1: the legacy key is still accepted, and migrated.
  return [config.plugin, config.plugins].flatMap((list) =>
    (Array.isArray(list) ? list : []).flatMap((entry) => directive(entry, dirname(file)) ?? []),
  );
}

/** §2.1: `opencode.json(c)`, global, then the project's root, then `.opencode/`. */
export function serverDirectives(globalConfig: string, directory: string): Directive[] {
  return [globalConfig, directory, join(directory, ".opencode")].flatMap((folder) =>
    ["opencode.json", "opencode.jsonc"].flatMap((name) => directivesOf(join(folder, name))),
  );
}

/** §2.1: `cli.json`, global only. `tui.json` is dead. */
export const tuiDirectives = (globalConfig: string): Directive[] => directivesOf(join(globalConfig, "cli.json"));

/** A path, and not the name of something to install. */
export const isPath = (target: string): boolean => isAbsolute(target);

/** `acme@1.2.0` is the package `acme`; `github:acme/notify#main` stays. */
export const packageName = (target: string): string => target.replace(/(?<=.)@[^/]*$/, "");

export function selects(pattern: string, id: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith(".*") ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}
