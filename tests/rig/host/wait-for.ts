import { setTimeout as sleep } from "node:timers/promises";

/** Every wait of the rig: generous, because it is a ceiling and never a measurement. A busy machine takes a minute for a first prompt. */
export const ceilingMs = 90_000;

/** Looks again and again until `look` gives something; rejects after the ceiling, naming what never came. */
export async function waitFor<T>(
  what: string | (() => string),
  look: () => T | undefined | Promise<T | undefined>,
  limitMs = ceilingMs,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end)
      throw new Error(`waited ${limitMs} ms in vain for ${typeof what === "string" ? what : what()}`);
    await sleep(20);
  }
}

/** The same for a plain yes or no. */
export async function waitUntil(what: string | (() => string), holds: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(what, async () => ((await holds()) ? true : undefined));
}
