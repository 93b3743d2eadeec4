import { isRecord } from "../../shared/is-record.ts";
import { plainValue, readTree } from "../config/json-text.ts";
import { configCodeKeys, harmlessKey, isCode } from "./harmless-text.ts";

/** A configuration without addresses, secrets, names and patterns; what it decides stays. `key`: where the value stands. */
export function filterConfig(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => filterConfig(item, key));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [harmlessKey(name), filterConfig(member, name)]),
    );
  if (typeof value !== "string") return value;
  if (key === "url") return "https://example.invalid/";
  return configCodeKeys.has(key) && isCode(value) ? value : "text";
}

/** The same for a file's text. What is no JSON stays no JSON. */
export function filterConfigText(text: string): string {
  const tree = readTree(text);
  return tree.ok ? JSON.stringify(filterConfig(plainValue(tree.value))) : "{ not JSON";
}
