import { parse } from "jsonc-parser";
import { entrySpec, isBeckon, isRecord, type NameAt } from "./plugin-entry.ts";

export const pluginKeys = ["plugin", "plugins"] as const;
/** 1.x reads `plugin`; 2.x reads `plugins` and takes an old `plugin` over. */
export type PluginKey = (typeof pluginKeys)[number];

export type Entry = { key: PluginKey; index: number; entry: unknown; spec: string; ours: boolean };

/** Every entry of a configuration file's plugin lists that loads something. Unreadable text has none. */
export function entriesOf(text: string, nameAt: NameAt): Entry[] {
  const document = readDocument(text);
  return pluginKeys.flatMap((key) => {
    const list = document[key];
    if (!Array.isArray(list)) return [];
    return list.flatMap((entry: unknown, index) => {
      const spec = entrySpec(entry);
      return spec === undefined ? [] : [{ key, index, entry, spec, ours: isBeckon(spec, nameAt) }];
    });
  });
}

/** The file's content as far as it can be read; `{}` for what is no object. */
export function readDocument(text: string): Record<string, unknown> {
  const document: unknown = parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
  return isRecord(document) ? document : {};
}

/** A value at a path of keys; undefined where the path ends early. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), document);
}
