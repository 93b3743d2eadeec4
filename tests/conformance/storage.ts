/** §3.2: keyed by plugin id, global to the database: all locations and processes share it; no transactions. */
export type Database = Map<string, unknown>;

export const createDatabase = (): Database => new Map();

export function storageOf(database: Database, pluginID: string) {
  const full = (key: string) => `${pluginID}\u0000${key}`;
  return {
    get: async (key: string): Promise<unknown> => structuredClone(database.get(full(key))),
    set: async (key: string, value: unknown): Promise<void> => void database.set(full(key), structuredClone(value)),
    remove: async (key: string): Promise<void> => void database.delete(full(key)),
    async scan({ prefix, after, limit = 100 }: { prefix: string; after?: string; limit?: number }) {
      const all = [...database.keys()]
        .filter((key) => key.startsWith(full(prefix)) && (after === undefined || key > full(after)))
        .sort();
      const entries = all.slice(0, limit).map((key) => ({
        key: key.slice(pluginID.length + 1),
        value: structuredClone(database.get(key)),
      }));
      const last = entries.at(-1);
      return { entries, ...(all.length > limit && last !== undefined ? { next: last.key } : {}) };
    },
  };
}
