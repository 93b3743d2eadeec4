import { nearestKey } from "./find-key.ts";
import { shortText } from "./finding.ts";
import type { KeyPath } from "./json-text.ts";
import { listSettings } from "./settings.ts";

/** Tokens, and what works like one: an address with a secret in its path, a topic whoever knows it can read. */
const secretKeys: ReadonlySet<string> = new Set(["url", "topic", "token", "secret"]);
/** What of a push target is no secret when it is what the schema wants. */
const openKeys: ReadonlySet<string> = new Set(["type", "events"]);
const hidden = "(set, not shown)";

/**
 * A value of the configuration, written or in force, as it may be shown to anybody. Where an address or a token could
 * stand under a wrong key, below `alerts.push`, only what is known to be harmless is shown. `path`: where the value stands.
 */
export function withoutSecrets(value: unknown, path: KeyPath): unknown {
  if (Array.isArray(value)) return value.map((element, index) => withoutSecrets(element, [...path, index]));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [nameOfKey(path, key), withoutSecrets(inner, [...path, key])]),
    );
  const isOpen = value === null || typeof value === "boolean" || !maySecretStandAt(path);
  if (isOpen || (typeof value === "number" && !isSecretKey(path))) return value;
  return typeof value === "string" && isBelowOpenKey(path) && isPlainWord(value, longestWordOfPush) ? value : hidden;
}

/** Text found where something else was expected. What may be a secret is named by its kind only. */
export function foundText(value: string, path: KeyPath): string {
  if (value === "") return "empty text";
  if (isSecretKey(path)) return "other text";
  const isShown = maySecretStandAt(path)
    ? isPlainWord(value, longestWordOfPush)
    : isPlainWord(value, longestWord) || /^[\d:.,]{1,8}[a-z]{0,3}$/i.test(value);
  return isShown ? shortText(value) : "other text";
}

/** A key as it may be repeated: a known one, one that is nearly known, or a plain word where no secret is to be feared. */
export function nameOfKey(path: KeyPath, key: string): string {
  if (key === "") return key;
  const isKnown = knownKeys().includes(key) || nearestKey(key, knownKeys()) !== undefined;
  return isKnown || (!maySecretStandAt(path) && isPlainKey(key)) ? key : "(a key)";
}

export const isSecretKey = (path: KeyPath): boolean => path.some((step) => secretKeys.has(String(step)));

const maySecretStandAt = (path: KeyPath): boolean => isSecretKey(path) || path.some((step) => step === "push");
const isBelowOpenKey = (path: KeyPath): boolean =>
  !isSecretKey(path) && path.some((step) => openKeys.has(String(step)));

const longestWord = 20;
const longestWordOfPush = 8;
const isPlainWord = (text: string, most: number): boolean => text.length <= most && /^[A-Za-z]?[a-z]*$/.test(text);
/** `minDuration`, `__proto__`: as people and programs name settings, and as no token looks. */
const isPlainKey = (key: string): boolean => key.length <= 32 && /^_{0,2}[a-z]+(?:[A-Z][a-z]+)*_{0,2}$/.test(key);

let known: readonly string[] | undefined;
function knownKeys(): readonly string[] {
  known ??= [
    ...new Set(listSettings().flatMap(({ path, fields }) => [...path, ...fields.flatMap((field) => field.path)])),
  ];
  return known;
}
