import type { Note, Outlet, Up } from "./channel.ts";

/**
 * Loads an outlet at its first note, or when it has something to go on with: most sessions never need most of them.
 * A load that fails is tried again.
 */
export function lazyOutlet(name: string, load: () => Promise<Outlet>, takes?: (note: Note) => boolean): Outlet {
  let loading: Promise<Outlet> | undefined;
  let loaded: Outlet | undefined;
  let adopted: readonly Up[] = [];
  const get = () => {
    loading ??= load().then(
      (outlet) => {
        loaded = outlet;
        if (adopted.length > 0) outlet.adopt?.(adopted);
        return outlet;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  return {
    name,
    ...(takes ? { takes } : {}),
    send: async (note, signal) => (await get()).send(note, signal),
    withdraw: async (key) => (await (await loading)?.withdraw?.(key)) ?? false,
    replaces: async (key) => (await (await loading)?.replaces?.(key)) ?? false,
    up: () => (loaded === undefined ? [...adopted] : (loaded.up?.() ?? [])),
    adopt(up) {
      adopted = up;
      get().catch(() => {}); // tried again with the next note
    },
    close: async () => (await loading)?.close?.(),
  };
}
