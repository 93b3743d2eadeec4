import { indentAt, indentUnit, lineEnd } from "./trivia.ts";

const widestLine = 80;

/** A value as it would be written by hand at that place: on one line when it is short, else indented like its surroundings. */
export function renderValue(text: string, offset: number, value: unknown): string {
  const short = inLine(value);
  if (short.length <= widestLine) return short;
  return JSON.stringify(value, null, indentUnit(text)).replaceAll("\n", `${lineEnd(text)}${indentAt(text, offset)}`);
}

function inLine(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(inLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inLine(inner)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
