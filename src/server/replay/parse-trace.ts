import type * as z from "zod/mini";
import { tooDeepAt } from "../../shared/nesting.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { laterLine, type Meta, metaLine, type Trace, type TraceLine } from "./trace.ts";

export type TraceError = { line: number; what: string };

type Lines = { meta?: Meta; later: TraceLine[]; lastT: number };

/** Every line, or the first thing that is wrong: its line number counts from 1. */
export function parseTrace(source: string): Result<Trace, TraceError> {
  const lines: Lines = { later: [], lastT: 0 };
  for (const [index, text] of source
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .entries()) {
    const wrong = text.trim() === "" ? undefined : addLine(lines, text);
    if (wrong !== undefined) return fail({ line: index + 1, what: wrong });
  }
  const { meta, later } = lines;
  return meta === undefined
    ? fail({ line: 1, what: "expected a line of kind meta, found an empty file" })
    : ok({ meta, lines: later });
}

/** What is wrong with it, or undefined once it is added. */
function addLine(lines: Lines, text: string): string | undefined {
  const json = parseJson(text);
  if (!json.ok) return json.error;
  const wantsMeta = lines.meta === undefined;
  const parsed = wantsMeta ? metaLine.safeParse(json.value) : laterLine.safeParse(json.value);
  if (!parsed.success) return complaint(json.value, parsed.error.issues[0], wantsMeta);
  const { data } = parsed;
  if (data.t < lines.lastT) return `t is ${data.t}, before the ${lines.lastT} of an earlier line`;
  lines.lastT = data.t;
  if (data.kind === "meta") {
    lines.meta = data;
    return undefined;
  }
  lines.later.push(data);
  return lacks(data);
}

/** What a tool was given may nest; whoever writes or compares it recurses. */
const maxDepth = 200;

function parseJson(text: string): Result<unknown, string> {
  if (tooDeepAt(text, maxDepth) !== undefined) return fail(`nested deeper than ${maxDepth} levels`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return fail(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What a line lacks that its schema cannot say: a key of any content, or one of two. */
const lacking: { kind: TraceLine["kind"]; what: string; has: (line: TraceLine) => boolean }[] = [
  { kind: "event", what: "expected event", has: (line) => line.kind === "event" && line.event !== undefined },
  { kind: "hook", what: "expected input", has: (line) => line.kind === "hook" && line.input !== undefined },
  { kind: "call", what: "expected args", has: (line) => line.kind === "call" && line.args !== undefined },
  {
    kind: "session",
    what: "expected session, or sessionID with missing: true",
    has: (line) => line.kind === "session" && (line.session ?? (line.sessionID && line.missing)) !== undefined,
  },
  {
    kind: "messages",
    what: "expected messages or error",
    has: (line) => line.kind === "messages" && (line.messages ?? line.error) !== undefined,
  },
  {
    kind: "config",
    what: "expected text or remove: true",
    has: (line) => line.kind === "config" && (line.text ?? line.remove) !== undefined,
  },
  {
    kind: "mute",
    what: "expected ms or off: true",
    has: (line) => line.kind === "mute" && (line.ms ?? line.off) !== undefined,
  },
  {
    kind: "tui",
    what: "op view needs a view",
    has: (line) => line.kind === "tui" && (line.op !== "view" || line.view !== undefined),
  },
];

function lacks(line: TraceLine): string | undefined {
  const rule = lacking.find(({ kind, has }) => kind === line.kind && !has(line));
  return rule === undefined ? undefined : `${rule.kind}: ${rule.what}`;
}

const kinds = new Set(laterLine.def.options.flatMap((option) => [...option.shape.kind.def.values]).map(String));

function complaint(value: unknown, issue: z.core.$ZodIssue | undefined, wantsMeta: boolean): string {
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  if (typeof kind !== "string") return "expected an object with a kind";
  if (wantsMeta && kind !== "meta") return `the first line must be of kind meta, found ${JSON.stringify(kind)}`;
  if (!wantsMeta && kind === "meta") return "a second line of kind meta";
  if (!wantsMeta && !kinds.has(kind)) return `unknown kind ${JSON.stringify(kind)}`;
  return `${kind}: ${issue === undefined ? "not valid" : explain(issue)}`;
}

function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.join(".") || "line";
  switch (issue.code) {
    case "unrecognized_keys":
      return `unknown key ${[...issue.path, issue.keys.join(", ")].join(".")}`;
    case "invalid_value":
      return `${path}: expected ${issue.values.join(", ")}`;
    case "invalid_type":
      return `${path}: expected ${issue.expected}`;
    default:
      return `${path}: ${issue.message}`;
  }
}
