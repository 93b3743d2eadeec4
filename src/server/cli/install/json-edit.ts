import { createScanner, findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import { fail, ok, type Result } from "../../../shared/result.ts";
import { indentAt, inline, layoutOf } from "./json-layout.ts";

export type JsonPath = readonly (string | number)[];
export type EditFailure = { why: "not-json"; offset: number } | { why: "not-an-object"; at: string };

/** The document's tree; comments and trailing commas are welcome, anything else that is not JSON is not. */
export function readTree(text: string): Result<Node, EditFailure> {
  const errors: ParseError[] = [];
  const markAsBlank = text.replace(/^\uFEFF/, " "); // same length: every offset stays true
  const tree = parseTree(markAsBlank, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first !== undefined || tree === undefined) return fail({ why: "not-json", offset: first?.offset ?? 0 });
  return tree.type === "object" ? ok(tree) : fail({ why: "not-an-object", at: "the file" });
}

/** Puts a value at a path of keys: replaces what is there, else adds what is missing. Everything else stays as it is. */
export function setValue(text: string, path: JsonPath, value: unknown): Result<string, EditFailure> {
  const tree = readTree(text);
  if (!tree.ok) return tree;
  const there = findNodeAtLocation(tree.value, [...path]);
  if (there !== undefined) return ok(splice(text, there.offset, there.offset + there.length, inline(value)));
  let owner = tree.value;
  let depth = 0;
  for (; depth < path.length - 1; depth++) {
    const next = findNodeAtLocation(tree.value, path.slice(0, depth + 1));
    if (next === undefined) break;
    owner = next;
  }
  if (owner.type !== "object") return fail({ why: "not-an-object", at: path.slice(0, depth).join(".") });
  const nested = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return ok(append(text, owner, `${JSON.stringify(String(path[depth]))}: ${inline(nested)}`));
}

/** Adds an element at the end of the array under that key; the array is made if it is not there. */
export function addElement(text: string, key: string, element: unknown): Result<string, EditFailure> {
  const tree = readTree(text);
  if (!tree.ok) return tree;
  const array = findNodeAtLocation(tree.value, [key]);
  if (array === undefined || array.type === "null") return setValue(text, [key], [element]);
  if (array.type !== "array") return fail({ why: "not-an-object", at: key });
  return ok(append(text, array, inline(element)));
}

/** Takes out an element of an array or a property of an object, with its comma. A path that is not there changes nothing. */
export function removeAt(text: string, path: JsonPath): Result<string, EditFailure> {
  const tree = readTree(text);
  if (!tree.ok) return tree;
  const value = findNodeAtLocation(tree.value, [...path]);
  if (value === undefined) return ok(text);
  const child = value.parent?.type === "property" ? value.parent : value;
  const owner = child.parent;
  return ok(owner === undefined ? text : takeOut(text, owner, child));
}

function append(text: string, owner: Node, item: string): string {
  const { eol, unit } = layoutOf(text);
  const close = owner.offset + owner.length - 1;
  const children = owner.children ?? [];
  const last = children.at(-1);
  const outer = indentAt(text, owner.offset);
  if (last === undefined && text.slice(owner.offset + 1, close).trim() === "") {
    const lines = `${eol}${outer}${unit}${item}${eol}${outer}`;
    const spread = owner.type === "array" ? item : owner.parent === undefined ? lines : ` ${item} `;
    return splice(text, owner.offset + 1, close, spread);
  }
  const end = last === undefined ? owner.offset + 1 : last.offset + last.length;
  const comma = last === undefined ? undefined : commaBetween(text, end, close);
  const insertAt = end + text.slice(end, close).trimEnd().length;
  const spread = text.slice(owner.offset, close).includes("\n");
  const indent = children[0] === undefined ? outer + unit : indentAt(text, children[0].offset);
  const lead = spread ? eol + indent : " ";
  const added = `${lead}${item}${comma === undefined ? "" : ","}`;
  const separator = last === undefined || comma !== undefined ? "" : ",";
  return text.slice(0, end) + separator + text.slice(end, insertAt) + added + text.slice(insertAt);
}

function takeOut(text: string, owner: Node, child: Node): string {
  const siblings = owner.children ?? [];
  const at = siblings.indexOf(child);
  const previous = siblings[at - 1];
  const next = siblings[at + 1];
  const close = owner.offset + owner.length - 1;
  const childEnd = child.offset + child.length;
  const comma = commaBetween(text, childEnd, next?.offset ?? close);
  let end = comma === undefined ? childEnd : comma + 1;
  let start = child.offset;
  const before = text.slice(0, start).trimEnd().length;
  const alone = text.slice(before, start).includes("\n");
  if (previous !== undefined || next === undefined || alone) start = before;
  else end += text.slice(end).length - text.slice(end).trimStart().length;
  const shorter = splice(text, start, end, "");
  if (comma !== undefined || previous === undefined) return shorter;
  const stale = commaBetween(text, previous.offset + previous.length, child.offset);
  return stale === undefined ? shorter : splice(shorter, stale, stale + 1, "");
}

/** Where the comma lies that follows a value; commas inside comments do not count. */
function commaBetween(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(from, to), true);
  scanner.scan();
  const at = from + scanner.getTokenOffset();
  return scanner.getTokenLength() === 1 && text[at] === "," ? at : undefined;
}

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);
