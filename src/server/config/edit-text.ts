import type { Node } from "jsonc-parser";
import { childAt, type KeyPath, nearestNode, plainValue, readLenient } from "./json-text.ts";
import { renderValue } from "./render-value.ts";
import { afterSameLineComments, blankLineAt, commaAfter, indentAt, indentUnit, lineEnd } from "./trivia.ts";

/**
 * Edits JSON with comments in place. Everything outside the edited value stays as it is: every comment, the order, the
 * indentation. The text must be readable (`readLenient`); nothing but the value at `path` changes its meaning.
 */
export function setValue(text: string, path: KeyPath, value: unknown): string {
  const root = rootOf(text);
  const depth = existingDepth(root, path);
  const node = nearestNode(root, path.slice(0, depth));
  const [key, ...inner] = path.slice(depth);
  if (key === undefined || node.type !== "object") return replace(text, node, nest(path.slice(depth), value));
  const member = `${JSON.stringify(String(key))}: `;
  return append(text, node, (offset) => member + renderValue(text, offset, nest(inner, value)));
}

/** With one more element in the list at that path. What is no list gives way to one. */
export function addElement(text: string, path: KeyPath, element: unknown): string {
  const root = rootOf(text);
  const list = nearestNode(root, path);
  if (existingDepth(root, path) < path.length || list.type !== "array") return setValue(text, path, [element]);
  return append(text, list, (offset) => renderValue(text, offset, element));
}

/** Without that key or element; comments beside it stay. A path that leads nowhere changes nothing. */
export function removeAt(text: string, path: KeyPath): string {
  const root = rootOf(text);
  if (existingDepth(root, path) < path.length) return text;
  const value = nearestNode(root, path);
  const child = value.parent?.type === "property" ? value.parent : value;
  return child.parent === undefined ? text : takeOut(text, child.parent, child);
}

const endOf = (node: Node) => node.offset + node.length;

function rootOf(text: string): Node {
  const tree = readLenient(text);
  if (!tree.ok) throw new Error("edits need a readable text");
  return tree.value;
}

/** How many steps of the path the text has. */
function existingDepth(root: Node, path: KeyPath): number {
  let node: Node | undefined = root;
  for (const [index, step] of path.entries()) {
    node = childAt(node, step);
    if (node === undefined) return index;
  }
  return path.length;
}

const nest = (path: KeyPath, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

function replace(text: string, node: Node, value: unknown): string {
  if (JSON.stringify(plainValue(node)) === JSON.stringify(value)) return text;
  return text.slice(0, node.offset) + renderValue(text, node.offset, value) + text.slice(endOf(node));
}

/** A member or element more, at the end. `write`: its text, for the place whose indentation it takes. */
function append(text: string, owner: Node, write: (offset: number) => string): string {
  const last = owner.children?.at(-1);
  const inside = text.slice(owner.offset + 1, endOf(owner) - 1);
  if (last === undefined) return appendFirst(text, owner, inside, write(owner.offset));
  const lastEnd = endOf(last);
  if (!/[\r\n]/.test(inside)) return `${text.slice(0, lastEnd)}, ${write(owner.offset)}${text.slice(lastEnd)}`;
  const comma = commaAfter(text, lastEnd);
  const at = afterSameLineComments(text, comma === undefined ? lastEnd : comma + 1);
  const line = `${lineEnd(text, at)}${indentAt(text, last.offset)}${write(last.offset)}`;
  if (comma !== undefined) return `${text.slice(0, at)}${line},${text.slice(at)}`;
  return `${text.slice(0, lastEnd)},${text.slice(lastEnd, at)}${line}${text.slice(at)}`;
}

function appendFirst(text: string, owner: Node, inside: string, written: string): string {
  const close = endOf(owner) - 1;
  const head = text.slice(0, owner.offset + 1) + inside.trimEnd();
  if (!/[\r\n]/.test(inside) && owner.parent !== undefined) {
    const blank = owner.type === "object" ? " " : "";
    return `${head}${inside.trim() === "" ? blank : " "}${written}${blank}${text.slice(close)}`;
  }
  const outer = indentAt(text, owner.offset);
  return `${head}${lineEnd(text)}${outer}${indentUnit(text)}${written}${lineEnd(text)}${outer}${text.slice(close)}`;
}

/** With the comma that is no more needed: its own, else the one before it. */
function takeOut(text: string, owner: Node, child: Node): string {
  const siblings = owner.children ?? [];
  const previous = siblings[siblings.indexOf(child) - 1];
  const from = previous === undefined ? owner.offset + 1 : endOf(previous);
  const gap = text.slice(from, child.offset);
  const after = text.slice(endOf(child));
  const comma = commaAfter(after, 0);
  const rest = comma === undefined ? after : after.slice(0, comma) + after.slice(comma + 1);
  const stale = comma === undefined && previous !== undefined ? commaAfter(gap, 0) : undefined;
  const kept = stale === undefined ? gap : gap.slice(0, stale) + gap.slice(stale + 1);
  return joined(text.slice(0, from) + kept, rest, { gap: kept, isFirst: previous === undefined });
}

/** What stood before something and what stood after it, without its line, or the blanks that parted it from the rest. */
function joined(before: string, after: string, { gap, isFirst }: { gap: string; isFirst: boolean }): string {
  const line = blankLineAt(before + after, before.length);
  if (line !== undefined) return (before + after).slice(0, line.start) + (before + after).slice(line.end);
  if (/[\r\n][ \t]*$/.test(gap)) {
    const isLast = /^\s*[}\]]/.test(after);
    const endsInLineComment = /\/\/[^\r\n]*\s*$/.test(gap);
    return isLast && !endsInLineComment ? before.trimEnd() + after : before + after.replace(/^[ \t]+/, "");
  }
  return isFirst ? before + after.replace(/^\s+/, "") : before.replace(/[ \t]+$/, "") + after;
}
