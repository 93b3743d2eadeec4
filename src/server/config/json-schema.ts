import * as z from "zod/mini";
import { configSchema } from "./schema.ts";

type Json = { [key: string]: unknown };

/** The JSON Schema of the configuration file, for editors. `null` is allowed wherever a key may be absent. */
export function configJsonSchema(): Json {
  const generated: Json = { ...z.toJSONSchema(configSchema, { io: "input", target: "draft-7" }) };
  const { $schema, ...rest } = allowNull(generated);
  return {
    $schema,
    title: "opencode-beckon configuration",
    allowComments: true,
    allowTrailingCommas: true,
    ...rest,
  };
}

function allowNull(schema: Json): Json {
  const { properties, required, items, anyOf, oneOf, ...rest } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const inside = isJson(properties)
    ? Object.entries(properties).map(([key, value]) => [
        key,
        needed.includes(key) ? deep(value) : nullable(deep(value)),
      ])
    : undefined;
  return {
    ...rest,
    ...(inside === undefined ? {} : { properties: Object.fromEntries(inside) }),
    ...(needed.length === 0 ? {} : { required }),
    ...(items === undefined ? {} : { items: deep(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(deep) } : {}),
    ...(Array.isArray(oneOf) ? { oneOf: oneOf.map(deep) } : {}),
  };
}

const deep = (value: unknown): unknown => (isJson(value) ? allowNull(value) : value);

/** An enumeration, of one word too, needs the value as well as the type. */
function nullable(value: unknown): unknown {
  if (!isJson(value)) return value;
  const { const: only, ...rest } = value;
  const { type, enum: words, anyOf } = rest;
  if (Array.isArray(anyOf)) return { ...value, anyOf: [...anyOf, { type: "null" }] };
  const allowed = Array.isArray(words) ? words : only === undefined ? [] : [only];
  const withNull = allowed.length === 0 ? {} : { enum: [...allowed, null] };
  return typeof type === "string" ? { ...rest, type: [type, "null"], ...withNull } : value;
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
