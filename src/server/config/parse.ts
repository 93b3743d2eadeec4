import type { Node } from "jsonc-parser";
import { fail, ok, type Result } from "../../shared/result.ts";
import { nearestKey } from "./find-key.ts";
import { type ConfigProblem, type Finding, keyText } from "./finding.ts";
import { type KeyPath, nearestNode, plainValue, positionAt, properties, readTree } from "./json-text.ts";
import { type Config, configSchema } from "./schema.ts";
import { expectedWords, keysAt, schemasAt } from "./schema-words.ts";
import { foundText, isSecretKey, nameOfKey } from "./secrets.ts";

/** A real file has a few KiB; more is a mistake, and would be read at each delivery. */
export const maxConfigBytes = 256 * 1024;

/** The text of the file (JSON with comments) → the complete configuration, or everything wrong with it. */
export function parseConfig(text: string): Result<Config, ConfigProblem> {
  const bytes = text.length > maxConfigBytes ? text.length : new TextEncoder().encode(text).length;
  if (bytes > maxConfigBytes) return fail(tooLarge(bytes));
  const tree = readTree(text);
  if (!tree.ok) {
    const kind = text.trim() === "" ? "empty" : "not-json";
    return fail({ kind, findings: [{ key: "", ...tree.error }] });
  }
  const checked = checkConfig(plainValue(tree.value));
  if (checked.ok) return checked;
  const locate = ({ path, ...finding }: PathFinding) => ({
    ...finding,
    at: positionAt(text, offsetOf(tree.value, path)),
  });
  return fail({ kind: "invalid", findings: checked.error.map(locate) });
}

const tooLarge = (bytes: number): ConfigProblem => ({
  kind: "too-large",
  findings: [{ key: "", expected: `at most ${maxConfigBytes / 1024} KiB`, found: `${Math.ceil(bytes / 1024)} KiB` }],
});

export type PathFinding = Finding & { path: KeyPath };

/** A parsed value (a partial configuration) → the complete one. `null` and an absent key mean the same. */
export function checkConfig(value: unknown): Result<Config, PathFinding[]> {
  const parsed = configSchema.safeParse(withoutNulls(value, []));
  if (parsed.success) return ok(parsed.data);
  return fail(
    parsed.error.issues.flatMap((issue) => {
      const path = issue.path.filter((step) => typeof step !== "symbol");
      return issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => unknownKey(path, key))
        : [wrongValue(path, value, issue.code === "custom" ? issue.message : undefined)];
    }),
  );
}

/** An unknown key stays even with `null`, so that it is named. */
function withoutNulls(value: unknown, path: KeyPath): unknown {
  if (Array.isArray(value)) return value.map((element, index) => withoutNulls(element, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  const known = keysAt(configSchema, path);
  const kept = Object.entries(value).filter(
    ([key, inner]) => inner !== undefined && (inner !== null || !known.includes(key)),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner, [...path, key])]));
}

function unknownKey(path: KeyPath, key: string): PathFinding {
  const known = keysAt(configSchema, path).filter((name) => name !== "$schema");
  const meant = nearestKey(key, known);
  const finding = { path: [...path, key], key: keyText([...path, nameOfKey(path, key)]), found: "an unknown key" };
  const expected = known.length === 0 ? "no key here" : `one of the keys ${known.join(", ")}`;
  return { ...finding, expected, ...(meant === undefined ? {} : { meant }) };
}

/** `rule`: what was expected, where the value is of the right kind and breaks a rule that has words of its own. */
function wrongValue(path: KeyPath, root: unknown, rule: string | undefined): PathFinding {
  const expected = rule ?? expectedWords(schemasAt(configSchema, path, root));
  const found = stepInto(root, path);
  const meant = typeof found === "string" ? nearestKey(found, quotedWords(expected)) : undefined;
  const finding = { path, key: keyText(path), expected, found: foundWords(found, path) };
  return meant === undefined || meant === found ? finding : { ...finding, meant };
}

const quotedWords = (expected: string) => [...expected.matchAll(/"(\w+)"/g)].flatMap(([, word]) => word ?? []);

const stepInto = (root: unknown, path: KeyPath): unknown =>
  path.reduce<unknown>((value, step) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.entries(value).find(([key]) => key === String(step))?.[1];
  }, root);

/** What may be a secret is named by its kind only. */
function foundWords(value: unknown, path: KeyPath): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return foundText(value, path);
  return isSecretKey(path) ? `other ${typeof value}` : String(value);
}

/** A wrong value is shown at the value, an unknown key at the key. */
function offsetOf(root: Node, path: KeyPath): number {
  const parent = nearestNode(root, path.slice(0, -1));
  const node = nearestNode(root, path);
  const known = keysAt(configSchema, path.slice(0, -1));
  const last = path.at(-1);
  if (typeof last === "string" && !known.includes(last)) {
    return properties(parent).find(([key]) => key.value === last)?.[0].offset ?? parent.offset;
  }
  return node.offset;
}
