/** Something a model does in a step of a story. */
export type Deed =
  | { kind: "text"; text: string }
  | { kind: "tool"; name: string; input: Record<string, unknown>; outcome: "works" | "fails"; wraps: string[] };

export const text = (words = "All finished."): Deed => ({ kind: "text", text: words });
export const tool = (name: string, input: Record<string, unknown> = {}): Deed => ({
  ...{ kind: "tool", name, input, outcome: "works", wraps: [] },
});
export const failing = (name: string): Deed => ({ kind: "tool", name, input: {}, outcome: "fails", wraps: [] });
/** §3.5: a code-mode call; the hooks see what it wraps, the bus sees only `execute`. */
export const execute = (...wraps: string[]): Deed => ({
  ...{ kind: "tool", name: "execute", input: { code: "…" }, outcome: "works", wraps },
});
