/** What a completed tool call says about a round. */
export type Work = "real" | "dispatched" | "bookkeeping";

const ownPrefix = "beckon_";
const dispatchTools = new Set(["task", "agent", "subagent"]);
const bookkeepingTools = new Set(["skill", "todowrite", "todoread", "question", "invalid"]);

/** Hosts may prefix a plugin's tools with a server name (`opencode-beckon_beckon_status`). */
const isOwn = (tool: string): boolean => tool.startsWith(ownPrefix) || tool.includes(`_${ownPrefix}`);

/** The plain case; code mode's `execute` is unwrapped where its input is known. Source: requirements.md A28-A33. */
export function classify(tool: string, input?: unknown): Work {
  if (isOwn(tool) || bookkeepingTools.has(tool)) return "bookkeeping";
  if (dispatchTools.has(tool)) return "dispatched";
  if (tool === "execute" && onlyOwnCalls(input)) return "bookkeeping";
  return "real";
}

const keywords = new Set(["if", "for", "while", "switch", "catch", "return", "await", "function"]);

/** Conservative: any call that is not one of our tools counts as other work. */
function onlyOwnCalls(input: unknown): boolean {
  const code = textsOf(input)
    .join("\n")
    .replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*/g, '""');
  const called = [...code.matchAll(/([\w$]+)(?:"\])?\s*\(/g)]
    .map((match) => match[1] ?? "")
    .filter((name) => !keywords.has(name));
  return called.length > 0 && called.every(isOwn);
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
