/** The part of JSON Schema the contract's examples use (§7.1): type, properties, required, items, enum, anyOf. */
export type Schema = Record<string, unknown>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** §3.4, §7.1: a bundled zod object may not be recognised; JSON Schema is. */
export function isSchema(value: unknown): value is Schema {
  return isRecord(value) && !("_zod" in value) && ("type" in value || "anyOf" in value || "oneOf" in value);
}

const kinds: Record<string, (value: unknown) => boolean> = {
  object: isRecord,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

function faultInObject(schema: Schema, value: Record<string, unknown>, at: string): string | undefined {
  const { required, properties, additionalProperties } = schema;
  for (const key of Array.isArray(required) ? required : [])
    if (value[String(key)] === undefined) return `${at}.${String(key)} is missing`;
  const known = isRecord(properties) ? properties : {};
  for (const [key, inner] of Object.entries(value)) {
    const own = known[key];
    if (own === undefined && additionalProperties === false) return `${at}.${key} is not expected`;
    const fault = isRecord(own) ? faultIn(own, inner, `${at}.${key}`) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What is wrong with the value, or undefined. */
export function faultIn(schema: Schema, value: unknown, at = "value"): string | undefined {
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const fits = choices.some((choice) => isRecord(choice) && faultIn(choice, value, at) === undefined);
    return fits ? undefined : `${at} fits none of the choices`;
  }
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  if (types.length > 0 && !types.some((type) => kinds[String(type)]?.(value)))
    return `${at} is not ${types.join(" or ")}`;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return `${at} is not one of ${schema.enum.join(", ")}`;
  if (isRecord(value)) return faultInObject(schema, value, at);
  if (Array.isArray(value) && isRecord(schema.items))
    for (const [index, item] of value.entries()) {
      const fault = faultIn(schema.items, item, `${at}[${index}]`);
      if (fault !== undefined) return fault;
    }
  return undefined;
}
