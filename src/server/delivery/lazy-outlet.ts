import type { Note, Outlet } from "./channel.ts";

/** Loads an outlet at its first note: most sessions never need most of them. A load that fails is tried again. */
export function lazyOutlet(name: string, load: () => Promise<Outlet>, takes?: (note: Note) => boolean): Outlet {
  let loading: Promise<Outlet> | undefined;
  const get = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    name,
    ...(takes ? { takes } : {}),
    send: async (note, signal) => (await get()).send(note, signal),
    withdraw: async (key) => (await loading)?.withdraw?.(key),
    close: async () => (await loading)?.close?.(),
  };
}
