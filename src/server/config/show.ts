import { fail, ok, type Result } from "../../shared/result.ts";
import { nearestKey } from "./find-key.ts";
import { checkConfig } from "./parse.ts";
import { configSchema } from "./schema.ts";
import { keysAt } from "./schema-words.ts";
import { nameOfKey, withoutSecrets } from "./secrets.ts";
import { listSettings, type Setting } from "./settings.ts";

/** What stands in the file (as parsed JSON), not what is in force. */
export type Written = unknown;

/** `values`: each line says what the setting takes, too. */
export type ShowOptions = { values: boolean };

/**
 * A line a setting, with its written value, or `unset` and what holds then. Neither secrets are shown, nor what the setting
 * does not take: it may be one that stands in the wrong place.
 */
export function showSettings(settings: readonly Setting[], written: Written, { values }: ShowOptions): string {
  const checked = written === undefined ? undefined : checkConfig(written);
  const wrong = checked?.ok === false ? checked.error.map(({ path }) => path) : [];
  const isWrong = ({ path }: Setting) => wrong.some((at) => path.every((step, index) => at[index] === step));
  return settings
    .map((setting) => {
      const stands = isWrong(setting) ? "(wrong, not shown)" : standing(setting, written);
      return `${setting.path.join(".")} = ${stands}${values ? `; takes ${takes(setting)}` : ""}`;
    })
    .join("\n");
}

function standing({ path, byDefault, description }: Setting, written: Written): string {
  const value = valueAt(written, path);
  return value === undefined
    ? `unset (default: ${defaultWords(byDefault, description)})`
    : JSON.stringify(withoutSecrets(value, path));
}

/** A list of objects says what its elements have. */
const takes = ({ expected, fields }: Setting): string =>
  fields.length === 0 ? expected : `${expected}, each { ${fields.map(fieldWords).join("; ")} }`;

const fieldWords = ({ path, expected, byDefault, of, optional }: Setting["fields"][number]): string => {
  const only = of === undefined || path[0] === "type" ? "" : ` with type ${of}`;
  const absent = byDefault === undefined ? (optional ? ", optional" : "") : `, default ${JSON.stringify(byDefault)}`;
  return `${path.join(".")}: ${expected}${absent}${only}`;
};

/** A setting without a default of its own says in its description what holds. */
const defaultWords = (byDefault: unknown, description: string): string =>
  byDefault === undefined ? (/absent = ([^;.]*)/.exec(description)?.[1] ?? "nothing") : JSON.stringify(byDefault);

/** The settings below a key; the empty key stands for all. */
export function settingsBelow(key: string): Result<Setting[], string> {
  const path = key === "" ? [] : key.split(".");
  const found = listSettings().filter((setting) => path.every((step, index) => setting.path[index] === step));
  return found.length > 0 ? ok(found) : fail(unknownKeyText(path));
}

function unknownKeyText(path: readonly string[]): string {
  const depth = path.findIndex((step, index) => !keysAt(configSchema, path.slice(0, index)).includes(step));
  const above = path.slice(0, depth);
  const known = keysAt(configSchema, above).filter((name) => name !== "$schema");
  const where = above.length === 0 ? "the configuration" : above.join(".");
  const meant = nearestKey(path[depth] ?? "", known);
  const hint = meant === undefined ? "" : `; did you mean "${[...above, meant].join(".")}"?`;
  const keys = known.length === 0 ? "no keys below it" : `the keys ${known.join(", ")}`;
  return `unknown key "${[...above, nameOfKey(above, path[depth] ?? "")].join(".")}": ${where} has ${keys}${hint}`;
}

/** `null` stands for absent. */
export const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, step) => (isObject(value) ? (value[step] ?? undefined) : undefined), root);

const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
