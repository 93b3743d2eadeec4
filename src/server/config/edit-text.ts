import type { Node } from "jsonc-parser";
import { childAt, nearestNode, plainValue, properties, readTree } from "./json-text.ts";
import { renderValue } from "./render-value.ts";
import { afterSameLineComments, blankLineAt, commaAfter, indentAt } from "./trivia.ts";

/**
 * Edits JSON with comments in place. Everything outside the edited value stays as it is: every comment, the order, the
 * indentation. The text must be readable (`readTree`); nothing but the value at `path` changes its meaning.
 */
export function setValue(text: string, path: readonly string[], value: unknown): string {
  const root = rootOf(text);
  const depth = existingDepth(root, path);
  const node = nearestNode(root, path.slice(0, depth));
  const rest = path.slice(depth);
  const [key, ...inner] = rest;
  if (key === undefined || node.type !== "object") return replace(text, node, nest(rest, value));
  return insert(text, node, key, nest(inner, value));
}

/** Without the key; comments beside it stay. A path that leads nowhere changes nothing. */
export function removeKey(text: string, path: readonly string[]): string {
  const parent = nearestNode(rootOf(text), path.slice(0, -1));
  const all = properties(parent);
  const index = all.findIndex(([key]) => key.value === path.at(-1));
  const found = all[index];
  if (found === undefined || existingDepth(rootOf(text), path) < path.length) return text;
  const start = found[0].offset;
  const end = endOf(found[1]);
  const comma = commaAfter(text, end);
  const before = all[index - 1];
  const previousComma = before === undefined ? undefined : commaAfter(text, endOf(before[1]));
  if (comma !== undefined) return cutLine(text.slice(0, comma) + text.slice(comma + 1), start, end);
  const cut = cutLine(text, start, end);
  return previousComma === undefined ? cut : cut.slice(0, previousComma) + cut.slice(previousComma + 1);
}

const endOf = (node: Node) => node.offset + node.length;

function rootOf(text: string): Node {
  const tree = readTree(text);
  if (!tree.ok) throw new Error("edits need a readable text");
  return tree.value;
}

/** How many steps of the path the text has. */
function existingDepth(root: Node, path: readonly string[]): number {
  let node: Node | undefined = root;
  for (const [index, step] of path.entries()) {
    node = childAt(node, step);
    if (node === undefined) return index;
  }
  return path.length;
}

const nest = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

function replace(text: string, node: Node, value: unknown): string {
  if (JSON.stringify(plainValue(node)) === JSON.stringify(value)) return text;
  return text.slice(0, node.offset) + renderValue(text, node.offset, value) + text.slice(endOf(node));
}

function insert(text: string, object: Node, key: string, value: unknown): string {
  const last = properties(object).at(-1);
  const inside = text.slice(object.offset + 1, endOf(object) - 1);
  const write = (offset: number) => `${JSON.stringify(key)}: ${renderValue(text, offset, value)}`;
  if (last === undefined) return insertFirst(text, object, inside, write(object.offset));
  const lastEnd = endOf(last[1]);
  if (!/[\r\n]/.test(inside)) return `${text.slice(0, lastEnd)}, ${write(object.offset)}${text.slice(lastEnd)}`;
  const comma = commaAfter(text, lastEnd);
  const at = afterSameLineComments(text, comma === undefined ? lastEnd : comma + 1);
  const line = `${newLine(text)}${indentAt(text, last[0].offset)}${write(last[0].offset)}`;
  if (comma !== undefined) return `${text.slice(0, at)}${line},${text.slice(at)}`;
  return `${text.slice(0, lastEnd)},${text.slice(lastEnd, at)}${line}${text.slice(at)}`;
}

function insertFirst(text: string, object: Node, inside: string, property: string): string {
  const open = object.offset + 1;
  const close = endOf(object) - 1;
  const inline = !/[\r\n]/.test(inside) && object.parent !== undefined;
  if (inline) return `${text.slice(0, close).trimEnd()} ${property} ${text.slice(close)}`;
  const outer = indentAt(text, object.offset);
  const kept = text.slice(0, open) + inside.trimEnd();
  return `${kept}${newLine(text)}${outer}  ${property}${newLine(text)}${outer}${text.slice(close)}`;
}

/** Without the span, and without its line when nothing else stands there. */
function cutLine(text: string, start: number, end: number): string {
  const cut = text.slice(0, start) + text.slice(end);
  const line = blankLineAt(cut, start);
  if (line !== undefined) return cut.slice(0, line.start) + cut.slice(line.end);
  const before = cut.slice(0, start);
  const startsLine = /(?:^|[\r\n])[ \t]*$/.test(before);
  return (startsLine ? before : before.replace(/[ \t]+$/, " ")) + cut.slice(start).replace(/^[ \t]+/, "");
}

const newLine = (text: string) => (text.includes("\r\n") ? "\r\n" : "\n");
