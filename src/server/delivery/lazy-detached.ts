import type { Note } from "./channel.ts";
import type { Environment } from "./find-program.ts";
import type { handToDetached as HandToDetached } from "./hand-to-detached.ts";
import type { Platform } from "./platform.ts";

/** Banners that outlive this process. Loaded at once: when one is wanted there is no time left for that. */
export function lazyDetached(platform: Platform, env: Environment): (note: Note) => boolean {
  let hand: typeof HandToDetached | undefined;
  import("./hand-to-detached.ts").then(
    ({ handToDetached }) => {
      hand = handToDetached;
    },
    () => {},
  );
  return (note) => hand?.(note, { platform, env }) ?? false;
}
