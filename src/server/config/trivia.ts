/** White space and comments between the values of JSON with comments. Offsets must not lie inside text in quotes. */
const trivia = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
const sameLine = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/))*(?:[ \t]+(?=[\r\n]))?/y;

/** Where the comma after a value stands, if one does. */
export function commaAfter(text: string, offset: number): number | undefined {
  const next = endOfMatch(trivia, text, offset);
  return text[next] === "," ? next : undefined;
}

/** Behind the comments that belong to this line, and the blanks at its end. */
export const afterSameLineComments = (text: string, offset: number): number => endOfMatch(sameLine, text, offset);

/** The white space a line starts with. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** One step of indentation, as this text has it. */
export function indentUnit(text: string): string {
  const first = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return first.startsWith("\t") ? "\t" : first;
}

/** How lines end here: as this one does, else as others do. */
export const lineEnd = (text: string, offset = 0): string =>
  /^(?:\r\n|\n|\r)/.exec(text.slice(offset))?.[0] ?? (text.includes("\r\n") ? "\r\n" : "\n");

/** The line around an offset, with its end, when it holds nothing but white space. */
export function blankLineAt(text: string, offset: number): { start: number; end: number } | undefined {
  const start = lineStart(text, offset);
  const rest = /^[ \t]*(\r\n|\n|\r)/.exec(text.slice(offset));
  if (rest === null || text.slice(start, offset).trim() !== "") return undefined;
  return { start, end: offset + rest[0].length };
}

const lineStart = (text: string, offset: number) =>
  Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;

function endOfMatch(pattern: RegExp, text: string, offset: number): number {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = offset;
  return offset + (sticky.exec(text)?.[0].length ?? 0);
}
