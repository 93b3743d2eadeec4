/** Readers for what a foreign program sent: each gives the value when it has the right type, else undefined. */
export const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const count = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

type Fields = Readonly<Record<string, unknown>>;
const none: Fields = {};

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object's fields; anything else has none. */
export const fields = (value: unknown): Fields => (isFields(value) ? value : none);

/** A non-empty id, else undefined: state is never keyed by an empty one. Longer than any host's is not an id. */
export const identity = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= 256 ? value : undefined;
