import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { maxJSONDepth, tooDeepAt } from "../../shared/nesting.ts";
import { fail, ok, type Result } from "../../shared/result.ts";

/** 1-based, as editors count. */
export type Position = { line: number; column: number };
export type KeyPath = readonly (string | number)[];
export type JsonProblem = { at: Position; expected: string; found: string };

const expectedBy = new Map([
  ["InvalidSymbol", "JSON (keys and text stand in double quotes)"],
  ["InvalidNumberFormat", "a number"],
  ["PropertyNameExpected", "a key in double quotes"],
  ["ValueExpected", "a value"],
  ["ColonExpected", "a colon"],
  ["CommaExpected", "a comma"],
  ["CloseBraceExpected", "a closing }"],
  ["CloseBracketExpected", "a closing ]"],
  ["EndOfFileExpected", "nothing after the end"],
  ["UnexpectedEndOfComment", "the end of the comment, */"],
  ["UnexpectedEndOfString", "a closing double quote"],
  ["UnexpectedEndOfNumber", "the rest of the number"],
  ["InvalidUnicode", "four hex digits after \\u"],
  ["InvalidEscapeCharacter", "a known escape after \\"],
  ["InvalidCharacter", "no control character inside text"],
]);

const mark = /^\uFEFF/;

export function positionAt(text: string, offset: number): Position {
  const before = text
    .slice(0, offset)
    .replace(mark, "")
    .split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

const problem = (text: string, offset: number, expected: string, found: string): Result<never, JsonProblem> =>
  fail({ at: positionAt(text, offset), expected, found });

/**
 * JSON with comments, trailing commas and a byte order mark → its syntax tree, or where and why it cannot be read. A key
 * may stand twice, as in every JSON reader: the last one counts.
 */
export function readLenient(text: string): Result<Node, JsonProblem> {
  const deep = tooDeepAt(text, maxJSONDepth);
  if (deep !== undefined) return problem(text, deep, `at most ${maxJSONDepth} levels of nesting`, "more");
  const errors: ParseError[] = [];
  const markAsBlank = text.replace(mark, " "); // same length: every offset stays true
  const tree = parseTree(markAsBlank, errors, { allowTrailingComma: true });
  if (text.trim() === "") return problem(text, 0, "{ … }", "an empty file");
  const first = errors[0];
  if (first !== undefined) {
    const expected = expectedBy.get(printParseErrorCode(first.error)) ?? "JSON";
    return problem(text, first.offset, expected, foundAt(text, first.offset));
  }
  return tree === undefined ? problem(text, text.length, "{ … }", "nothing but comments") : ok(tree);
}

/** The same for a file of ours: each key stands once. */
export function readTree(text: string): Result<Node, JsonProblem> {
  const tree = readLenient(text);
  const twice = tree.ok ? repeatedKey(tree.value) : undefined;
  return twice === undefined ? tree : problem(text, twice.offset, "each key once", "the same key again");
}

/** Neither text is quoted nor a word: it may be a secret that lost its quotes. */
function foundAt(text: string, offset: number): string {
  const rest = text.slice(offset).trimStart();
  if (rest === "") return "the end of the file";
  if (rest.startsWith('"')) return "text";
  if (/^[\p{L}\p{N}_.+-]/u.test(rest)) return "a word without quotes";
  return /^[\x21-\x7e]/.exec(rest)?.[0] ?? "an unexpected character";
}

/** The plain value of a node. A key such as `__proto__` stays a key. */
export function plainValue(node: Node): unknown {
  const children = node.children ?? [];
  if (node.type === "array") return children.map(plainValue);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(properties(node).map(([key, value]) => [String(key.value), plainValue(value)]));
}

/** The node a path leads to, as far as the text has it. */
export function nearestNode(root: Node, path: KeyPath): Node {
  let node = root;
  for (const step of path) {
    const next = childAt(node, step);
    if (next === undefined) break;
    node = next;
  }
  return node;
}

export function childAt(node: Node, step: string | number): Node | undefined {
  if (node.type === "array") return typeof step === "number" ? node.children?.[step] : undefined;
  return properties(node).findLast(([key]) => key.value === step)?.[1];
}

/** Key and value nodes of an object, in the order written. */
export function properties(node: Node): [key: Node, value: Node][] {
  if (node.type !== "object") return [];
  return (node.children ?? []).flatMap(({ children }): [Node, Node][] => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [[key, value]];
  });
}

function repeatedKey(node: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const [key, value] of properties(node)) {
    if (seen.has(key.value)) return key;
    seen.add(key.value);
    const inside = repeatedKey(value);
    if (inside !== undefined) return inside;
  }
  return node.type === "array" ? (node.children ?? []).map(repeatedKey).find((key) => key !== undefined) : undefined;
}
