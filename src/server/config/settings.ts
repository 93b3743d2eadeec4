import * as core from "zod/v4/core";
import { configSchema } from "./schema.ts";
import { bare, expectedWords, type Schema } from "./schema-words.ts";

/** One value a person can set. Lists are one value: they are set whole. */
export type Setting = {
  path: string[];
  /** What may stand there: `one of "both", "banner", "voice", "none"`. */
  expected: string;
  /** What holds when the key is absent; undefined = nothing of its own, see the description. */
  byDefault: unknown;
  description: string;
  optional: boolean;
  /** For a list of objects: the keys of its elements. `of` = the `type` that has the key, when not all have it. */
  fields: (Setting & { of?: string })[];
};

/** Every setting, in the order of the schema. `$schema` is for editors and no setting. */
export const listSettings = (): Setting[] => settingsIn(configSchema, []).filter(({ path }) => path[0] !== "$schema");

function settingsIn(schema: Schema, path: string[]): Setting[] {
  const inner = bare(schema);
  if (!(inner instanceof core.$ZodObject)) return [settingAt(schema, path)];
  return Object.entries(inner._zod.def.shape).flatMap(([key, child]) => settingsIn(child, [...path, key]));
}

const settingAt = (schema: Schema, path: string[]): Setting => ({
  path,
  expected: expectedWords([schema]),
  byDefault: defaultOf(schema),
  description: core.globalRegistry.get(schema)?.description ?? "",
  optional: schema._zod.optin === "optional",
  fields: fieldsOf(bare(schema)),
});

function defaultOf(schema: Schema): unknown {
  if (schema instanceof core.$ZodDefault) return schema._zod.def.defaultValue;
  return schema instanceof core.$ZodOptional ? defaultOf(schema._zod.def.innerType) : undefined;
}

function fieldsOf(list: Schema): Setting["fields"] {
  if (!(list instanceof core.$ZodArray)) return [];
  const element = bare(list._zod.def.element);
  if (!(element instanceof core.$ZodUnion)) return element instanceof core.$ZodObject ? settingsIn(element, []) : [];
  const variants = element._zod.def.options.map((option) => settingsIn(option, []));
  const all = variants.flatMap((fields) => fields.map((field) => ({ ...field, of: nameOf(fields) })));
  return all.map(({ of, ...field }) => (isShared(field, variants) ? field : { ...field, of })).filter(isFirst);
}

/** The value of a variant's `type`, without its quotes. */
const nameOf = (fields: readonly Setting[]): string =>
  (fields.find(({ path }) => path[0] === "type")?.expected ?? "").replaceAll('"', "");

/** The same in every variant. */
const isShared = ({ path: [key], expected }: Setting, variants: readonly Setting[][]) =>
  key !== "type" &&
  variants.every((fields) => fields.some((other) => other.path[0] === key && other.expected === expected));

const isFirst = (field: Setting & { of?: string }, index: number, all: readonly (Setting & { of?: string })[]) =>
  all.findIndex((other) => other.path[0] === field.path[0] && other.of === field.of) === index;
