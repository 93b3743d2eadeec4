/** The last `most` ids, oldest forgotten first. */
export function createMemory(most: number, before: readonly string[] = []) {
  const ids = new Set(before);
  return {
    all: () => [...ids],
    has: (id: string) => ids.has(id),
    add(id: string) {
      ids.add(id);
      if (ids.size <= most) return;
      for (const oldest of ids) {
        ids.delete(oldest);
        return;
      }
    },
  };
}
