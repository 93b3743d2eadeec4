/** How a JSON file is written, so that what we add looks like what is there. */
export type Layout = { eol: string; unit: string };

export function layoutOf(text: string): Layout {
  const indented = /^([ \t]+)\S/m.exec(text)?.[1];
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: indented?.startsWith("\t") ? "\t" : (indented ?? "  ") };
}

/** The white space at the start of the line on which `offset` lies. */
export function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

/** JSON on one line, with the spaces people write. */
export function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
