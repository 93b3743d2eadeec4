import { parse } from "jsonc-parser";
import { isRecord } from "../../shared/is-record.ts";
import { maxJSONDepth, tooDeepAt } from "../../shared/nesting.ts";

/** The file's content as far as it can be read; `{}` for what is no object, or nested so deep that no reader should try. */
export function readDocument(text: string): Record<string, unknown> {
  if (tooDeepAt(text, maxJSONDepth) !== undefined) return {};
  const document: unknown = parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
  return isRecord(document) ? document : {};
}

/** A value at a path of keys; undefined where the path ends early. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), document);
}
