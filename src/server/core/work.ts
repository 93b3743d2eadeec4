/** What a completed tool call says about a round. */
export type Work = "real" | "dispatched" | "bookkeeping";

const ownPrefix = "beckon_";
const dispatchTools = new Set(["task", "agent", "subagent"]);
const bookkeepingTools = new Set(["skill", "todowrite", "todoread", "question", "invalid"]);

/** Hosts may prefix a plugin's tools with a server name (`opencode-beckon_beckon_status`). */
const isOwn = (tool: string): boolean => tool.startsWith(ownPrefix) || tool.includes(`_${ownPrefix}`);

/** The plain case; code mode's `execute` is unwrapped where its input is known. */
export function classify(tool: string, input?: unknown): Work {
  if (isOwn(tool) || bookkeepingTools.has(tool)) return "bookkeeping";
  if (dispatchTools.has(tool)) return "dispatched";
  if (tool === "execute" && onlyOwnCalls(input)) return "bookkeeping";
  return "real";
}

const keywords = new Set(["if", "for", "while", "switch", "catch", "return", "await", "function"]);
const literals =
  /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const named = /\[\s*(["'`])([\w$]+)\1\s*\]/g;
/** Whatever stands before an opening bracket or a template and so is called. */
const calls = /(?:(\.\s*)?(?<![\w$])([\w$]+)|[)\]`]|\?\.)\s*(?=[(`])/g;

/** Conservative: whatever is called and is not plainly one of our tools counts as other work, and so does what we cannot read. */
function onlyOwnCalls(input: unknown): boolean {
  const code = textsOf(input).join("\n").replace(named, ".$2").replace(literals, withoutText);
  if (/["'/]/.test(code)) return false; // a regular expression, a division, half a text
  const called = [...code.matchAll(calls)].filter(([, dot, name = ""]) => dot !== undefined || !keywords.has(name));
  return called.length > 0 && called.every(([, , name = ""]) => isOwn(name));
}

/** A text or comment without what it says; the code inside a template is code. */
function withoutText(literal: string): string {
  if (literal.startsWith("/")) return " ";
  if (!literal.startsWith("`")) return "0";
  return ["`", ...[...literal.matchAll(/\$\{([^}]*)/g)].map(([, inside]) => inside)].join(";");
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
