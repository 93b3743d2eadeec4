import { basename } from "node:path";
import { isRecord } from "../../../shared/is-record.ts";

export const packageName = "opencode-beckon";

/** Answers what a package at that path is called; undefined where there is none. `path` may be relative to its config file. */
export type NameAt = (path: string) => string | undefined;

/**
 * What an entry of a `plugin` or `plugins` list loads: a package, a path or an address. Undefined for a selector
 * («-team.*») and for what is no entry. Forms: "name", ["name", options] (1.x), { package, options } (2.x).
 */
export function entrySpec(entry: unknown): string | undefined {
  const spec: unknown = Array.isArray(entry) ? entry[0] : isRecord(entry) ? entry.package : entry;
  return typeof spec === "string" && spec !== "" && spec !== "*" && !spec.startsWith("-") ? spec : undefined;
}

/** Whether an entry loads this plugin, whatever version or copy of it. */
export function isBeckon(spec: string, nameAt: NameAt): boolean {
  if (/^opencode-beckon(@.*)?$/.test(spec) || /^npm:opencode-beckon(@.*)?$/.test(spec)) return true;
  if (/^(github:|git[+:]|https?:)/.test(spec)) return /[/:]opencode-beckon(\.git)?([#@].*)?$/.test(spec);
  if (!isPath(spec)) return false;
  const name = nameAt(spec);
  return name === undefined ? /^opencode-beckon(-\d.*\.tgz)?$/.test(basename(spec)) : name === packageName;
}

export const isPath = (spec: string): boolean => /^(file:|\.{1,2}[/\\]|[/\\]|[A-Za-z]:[/\\])/.test(spec);

/** The same entry with another target; its options stay. */
export function withSpec(entry: unknown, spec: string): unknown {
  if (Array.isArray(entry)) return [spec, ...entry.slice(1)];
  return isRecord(entry) ? { ...entry, package: spec } : spec;
}
