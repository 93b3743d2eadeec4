import { removeAt, setValue } from "./edit-text.ts";

/** A partial configuration. `undefined` says nothing; `null` takes the key out of the file. */
export type ConfigPatch = { readonly [key: string]: unknown };

type Change = { path: string[]; value: unknown };

/** Field by field: what a patch does not name stays. Lists and texts are replaced whole. */
export const applyPatch = (text: string, patch: ConfigPatch): string =>
  changesOf(patch, []).reduce(
    (edited, { path, value }) => (value === null ? removeAt(edited, path) : setValue(edited, path, value)),
    text,
  );

function changesOf(patch: ConfigPatch, above: readonly string[]): Change[] {
  return Object.entries(patch).flatMap(([key, value]): Change[] => {
    const path = [...above, key];
    if (value === undefined) return [];
    return isPatch(value) ? changesOf(value, path) : [{ path, value }];
  });
}

const isPatch = (value: unknown): value is ConfigPatch =>
  typeof value === "object" && value !== null && !Array.isArray(value);
