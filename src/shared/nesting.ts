/**
 * Where a text of JSON, with comments or without, goes deeper than so many levels: parsers and whatever walks their result
 * recurse, and `[[[[…` is a page of a keyboard. A plain loop, because it has to stand any text.
 */
export function tooDeepAt(text: string, maxDepth: number): number | undefined {
  const open: string[] = []; // the closing bracket each waits for: to a lenient parser another one closes nothing
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === "/") at = endOfComment(text, at);
    else if (character === "[") open.push("]");
    else if (character === "{") open.push("}");
    else if (character === open.at(-1)) open.pop();
    if (open.length > maxDepth) return at;
  }
  return undefined;
}

/** The closing quote; a text without one ends with its line, as the parser sees it. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"' || isLineEnd(text[at])) return at;
    if (text[at] === "\\") at += 1;
  }
  return text.length;
}

/** The last character of the comment that begins there, or the slash itself. */
function endOfComment(text: string, start: number): number {
  if (text[start + 1] === "*") {
    const end = text.indexOf("*/", start + 2);
    return end === -1 ? text.length : end + 1;
  }
  let at = start;
  if (text[start + 1] === "/") while (at < text.length && !isLineEnd(text[at])) at += 1;
  return at;
}

const isLineEnd = (character: string | undefined): boolean => character === "\n" || character === "\r";

/** Deeper than anything a person, opencode or we write there. */
export const maxJSONDepth = 32;

/** Plain JSON from outside; undefined when it is none, or too deep. A byte order mark is not looked at. */
export function parseJSON(text: string): unknown {
  if (tooDeepAt(text, maxJSONDepth) !== undefined) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
