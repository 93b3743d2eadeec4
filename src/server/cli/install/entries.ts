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
