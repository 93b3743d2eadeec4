import * as core from "zod/v4/core";
import type { KeyPath } from "./json-text.ts";

/** Any schema of this or the host's zod; narrowed by what it is, never cast. */
export type Schema = core.$ZodType;

/** The schema itself, without «has a default» and «may be absent». */
export function bare(schema: Schema): Schema {
  const wrapped =
    schema instanceof core.$ZodDefault || schema instanceof core.$ZodPrefault || schema instanceof core.$ZodOptional;
  return wrapped ? bare(schema._zod.def.innerType) : schema;
}

/** Every shape a value may have: the branches of a union, else the schema alone. */
const branches = (schema: Schema): Schema[] => {
  const inner = bare(schema);
  return inner instanceof core.$ZodUnion ? inner._zod.def.options.flatMap(branches) : [inner];
};

/** What may stand at this step, from every branch that has it. */
const below = (schema: Schema, step: string | number): Schema[] =>
  branches(schema).flatMap((branch) => {
    if (branch instanceof core.$ZodArray) return typeof step === "number" ? [branch._zod.def.element] : [];
    if (!(branch instanceof core.$ZodObject) || !Object.hasOwn(branch._zod.def.shape, step)) return [];
    const found: Schema | undefined = branch._zod.def.shape[step];
    return found === undefined ? [] : [found];
  });

/** Of a choice by `type`, only what the value says it is. */
function chosen(schemas: readonly Schema[], value: unknown): Schema[] {
  const all = schemas.flatMap(branches);
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  const fitting = all.filter(
    (branch) => type !== undefined && below(branch, "type").some((each) => isLiterally(each, type)),
  );
  return fitting.length > 0 ? fitting : all;
}

const isLiterally = (schema: Schema, value: unknown): boolean => {
  const inner = bare(schema);
  return inner instanceof core.$ZodLiteral && inner._zod.def.values.some((each) => each === value);
};

const inside = (value: unknown, step: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined;

/** The schemas a path may lead to, in that value where one is given; none when there is no such setting. */
export const schemasAt = (root: Schema, path: KeyPath, value?: unknown): Schema[] =>
  path.reduce<{ schemas: Schema[]; value: unknown }>(
    (at, step) => ({
      schemas: chosen(at.schemas, at.value).flatMap((schema) => below(schema, step)),
      value: inside(at.value, step),
    }),
    { schemas: [root], value },
  ).schemas;

/** The keys an object at this path may have; none when it is not an object. */
export const keysAt = (root: Schema, path: KeyPath): string[] => {
  const objects = schemasAt(root, path)
    .flatMap(branches)
    .filter((branch) => branch instanceof core.$ZodObject);
  return [...new Set(objects.flatMap((object) => Object.keys(object._zod.def.shape)))];
};

/** What is expected there, in words for a person: `a whole number from 0 to 60000`. */
export const expectedWords = (schemas: readonly Schema[]): string =>
  [...new Set(schemas.flatMap(branches).map(branchWords))].join(" or ");

function branchWords(schema: Schema): string {
  if (schema instanceof core.$ZodEnum) return choice(Object.values(schema._zod.def.entries));
  if (schema instanceof core.$ZodLiteral) return titleOf(schema) ?? choice(schema._zod.def.values);
  if (schema instanceof core.$ZodBoolean) return "true or false";
  if (schema instanceof core.$ZodNumber) return numberWords(schema._zod.bag);
  if (schema instanceof core.$ZodString) return textWords(schema);
  if (schema instanceof core.$ZodArray) return listWords(schema);
  if (schema instanceof core.$ZodObject) return "an object { … }";
  return schema._zod.def.type;
}

function choice(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value)).join(", ");
  return values.length > 1 ? `one of ${words}` : words;
}

const numberWords = ({ minimum, maximum }: { minimum?: unknown; maximum?: unknown }) =>
  `a whole number from ${minimum} to ${maximum}`;

/** A title says more than lengths do: `a time such as 22:00`. */
function textWords(schema: core.$ZodString): string {
  const { minimum, maximum } = schema._zod.bag;
  const lengths = typeof maximum === "number" ? `text of ${minimum ?? 0} to ${maximum} characters` : "text";
  return titleOf(schema) ?? lengths;
}

const titleOf = (schema: Schema): string | undefined => core.globalRegistry.get(schema)?.title;

function listWords(schema: core.$ZodArray): string {
  const { minimum, maximum } = schema._zod.bag;
  const element = bare(schema._zod.def.element);
  const words = element instanceof core.$ZodEnum ? ` of ${choice(Object.values(element._zod.def.entries))}` : "";
  const least = minimum === undefined ? "" : `, at least ${minimum}`;
  const most = maximum === undefined ? "" : `, at most ${maximum}`;
  return `a list [ … ]${words.replace("one of ", "")}${least}${most}`;
}
