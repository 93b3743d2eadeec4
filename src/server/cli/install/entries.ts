import { nearestNode, readLenient } from "../../config/json-text.ts";
import { readDocument } from "../../host-files/read-document.ts";
import { entrySpec, isBeckon, type NameAt } from "./plugin-entry.ts";

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

/** Neither an entry in it nor anything a person wrote, such as a comment. */
export function isBlankList(text: string, key: PluginKey): boolean {
  const list = readDocument(text)[key];
  const tree = readLenient(text);
  if (!Array.isArray(list) || list.length > 0 || !tree.ok) return false;
  const { offset, length } = nearestNode(tree.value, [key]);
  return text.slice(offset + 1, offset + length - 1).trim() === "";
}
