import { isRecord } from "../../../shared/is-record.ts";
import type { ConfigPatch } from "../../config/patch.ts";
import { defaultConfig } from "../../config/schema.ts";
import { valueAt } from "../../host-files/read-document.ts";

/** What was taken over from another plugin's settings, and what has no counterpart here. */
export type Imported = {
  patch: ConfigPatch;
  /** «suppressWhenFocused: false → alerts.focus.suppress = none» */
  taken: readonly string[];
  /** «messages: the wording is fixed» */
  without: readonly string[];
};

export type Document = Readonly<Record<string, unknown>>;

/** Why settings of the other plugin have no counterpart, by key; a pattern ends in `*`. */
export type NoCounterpart = Readonly<Record<string, string>>;

/** Collects what an importer finds, key by key. */
export function createCollector(document: Document) {
  const taken: string[] = [];
  const without: string[] = [];
  const used = new Set<string>();
  let patch: ConfigPatch = {};

  return {
    /** The value of a key, which then counts as looked at. */
    read(key: string): unknown {
      used.add(key);
      return document[key];
    },
    has: (key: string): boolean => document[key] !== undefined,
    /** What is the default here anyway is not written down. */
    take(from: string, path: string, value: unknown): void {
      if (JSON.stringify(valueAt(defaultConfig, path.split("."))) === JSON.stringify(value)) return;
      patch = withValue(patch, path.split("."), value);
      taken.push(`${from} → ${path} = ${shown(path, value)}`);
    },
    leave: (from: string, why: string) => void without.push(`${from}: ${why}`),
    /** Whatever was not looked at is named, with its reason where there is one. */
    finish(reasons: NoCounterpart): Imported {
      for (const key of Object.keys(document)) if (!used.has(key)) without.push(`${key}: ${reasonFor(key, reasons)}`);
      return { patch, taken, without };
    },
  };
}

/** An address may be a secret in itself. */
function shown(path: string, value: unknown): string {
  if (path === "alerts.push") return "the same address";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type Collector = ReturnType<typeof createCollector>;

function reasonFor(key: string, reasons: NoCounterpart): string {
  const exact = Object.hasOwn(reasons, key) ? reasons[key] : undefined;
  const pattern = Object.keys(reasons).find((name) => name.endsWith("*") && key.startsWith(name.slice(0, -1)));
  return exact ?? (pattern === undefined ? "not a setting that is known here" : (reasons[pattern] ?? ""));
}

function withValue(patch: ConfigPatch, [key = "", ...rest]: readonly string[], value: unknown): ConfigPatch {
  const inner = patch[key];
  return { ...patch, [key]: rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest, value) };
}

export const bool = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined;
export const wholeSeconds = (value: unknown, most: number): number | undefined =>
  typeof value === "number" && value >= 0 ? Math.min(Math.round(value), most) : undefined;

/** One sound stands for all kinds here: the first that is set. */
export function takeSound(collect: Collector, from: string, sounds: readonly (string | undefined)[]): void {
  const set = [...new Set(sounds.filter((sound) => sound !== undefined))];
  const [first] = set;
  if (first === undefined) return;
  collect.take(from, "alerts.sound", first);
  if (set.length > 1) collect.leave(from, "one sound stands for every kind of alert; the others were left out");
}
