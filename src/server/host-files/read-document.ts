import { parse } from "jsonc-parser";
import { isRecord } from "../../shared/is-record.ts";

/** The file's content as far as it can be read; `{}` for what is no object. */
export function readDocument(text: string): Record<string, unknown> {
  const document: unknown = parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true });
  return isRecord(document) ? document : {};
}

/** A value at a path of keys; undefined where the path ends early. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), document);
}
