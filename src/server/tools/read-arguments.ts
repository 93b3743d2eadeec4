import { fail, ok, type Result } from "../../shared/result.ts";
import type { Argument, ToolDefinition } from "./definitions.ts";

/** Arguments that were given and are of the right kind. */
export type Arguments = { readonly [name: string]: unknown };

/**
 * What the model sent, against the tool's own schema. Models fill what they do not mean with null or empty text: both
 * count as absent. Otherwise the answer names the argument, what was expected and what was found.
 */
export function readArguments({ parameters }: ToolDefinition, sent: unknown): Result<Arguments, string> {
  if (sent !== undefined && sent !== null && !isObject(sent)) return fail(`expected an object, found ${kindOf(sent)}`);
  const given = Object.entries(sent ?? {}).filter(([, value]) => !isAbsent(value));
  const names = Object.keys(parameters.properties);
  for (const [name, value] of given) {
    const argument = Object.hasOwn(parameters.properties, name) ? parameters.properties[name] : undefined;
    if (argument === undefined)
      return fail(`${JSON.stringify(name)}: no such argument; there are ${names.join(", ") || "none"}`);
    if (!fits(argument, value)) return fail(`${name}: expected ${expectedWords(argument)}, found ${foundWords(value)}`);
  }
  const missing = parameters.required.find((name) => !given.some(([key]) => key === name));
  if (missing !== undefined)
    return fail(`${missing}: expected ${expectedOf(parameters.properties[missing])}, found nothing`);
  return ok(Object.fromEntries(given));
}

export const textOf = (args: Arguments, name: string): string | undefined => {
  const value = args[name];
  return typeof value === "string" ? value : undefined;
};

const isAbsent = (value: unknown) =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

const fits = ({ type, enum: words }: Argument, value: unknown) =>
  type === "object" ? isObject(value) : typeof value === "string" && (words === undefined || words.includes(value));

const expectedOf = (argument: Argument | undefined) => (argument === undefined ? "a value" : expectedWords(argument));

function expectedWords({ type, enum: words }: Argument): string {
  if (words !== undefined) return `one of ${words.map((word) => JSON.stringify(word)).join(", ")}`;
  return type === "object" ? "an object" : "text";
}

const foundWords = (value: unknown) =>
  typeof value === "string" ? JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value) : kindOf(value);

const kindOf = (value: unknown) =>
  Array.isArray(value) ? "a list" : typeof value === "string" ? "text" : `a ${typeof value}`;

const isObject = (value: unknown): value is Arguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);
