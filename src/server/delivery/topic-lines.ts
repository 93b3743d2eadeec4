/**
 * The messages in an ntfy JSON stream, chunk by chunk: one object a line, `event` says what it is. Undefined for a line
 * no ntfy writes: longer than `longest`. A line that is no message of ntfy's is passed over.
 */
export function textsIn(longest: number): (chunk: string) => string[] | undefined {
  let rest = "";
  return (chunk) => {
    rest += chunk;
    if (!chunk.includes("\n")) return rest.length > longest ? undefined : [];
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > longest || lines.some(({ length }) => length > longest)) return undefined;
    return lines.flatMap(textOf);
  };
}

function textOf(line: string): string[] {
  try {
    const said: unknown = JSON.parse(line);
    if (typeof said !== "object" || said === null || !("event" in said) || !("message" in said)) return [];
    return said.event === "message" && typeof said.message === "string" ? [said.message] : [];
  } catch {
    return []; // no JSON
  }
}
