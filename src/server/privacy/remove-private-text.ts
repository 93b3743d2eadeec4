import { isRecord } from "../../shared/is-record.ts";
import { classify } from "../core/work.ts";
import { codeKeys, harmlessKey, isCode, isDefaultTitle, isHostID, pathKeys } from "./harmless-text.ts";
import { filterConfig, filterConfigText } from "./private-config.ts";

/** What a text is replaced by, so that a reader sees that there was one. */
const somewhat = "text";
/** A call of code mode that only wraps our own tools counts as no work: it must still look like one. */
const ownCall = "await tools.beckon_status({})";

const idKey = /(^id|ID|Id|^permissions)$/;

function isHarmless(key: string, text: string): boolean {
  if (key === "title") return isDefaultTitle(text);
  return idKey.test(key) ? isHostID(text) : codeKeys.has(key) && isCode(text);
}

type Line = Readonly<Record<string, unknown>>;

/**
 * Makes a trace fit to be shown to others: keeps ids, codes, numbers, times and the shape, and puts placeholders for
 * every text, title and path. Equal titles and equal paths stay equal, so that the trace decides as it did before.
 * One filter a trace.
 */
export function createPrivacyFilter(): (line: Line) => Line {
  const titles = createPlaceholders((count) => `Title ${count}`);
  const paths = createPlaceholders((count) => (count === 1 ? "/project" : `/project-${count}`));
  const ids = createPlaceholders((count) => `id-${count}`);

  function textUnder(key: string, text: string): string {
    if (text.trim() === "" || isHarmless(key, text)) return text;
    if (key === "title") return titles(text);
    if (pathKeys.has(key)) return paths(text);
    return idKey.test(key) ? ids(text) : somewhat;
  }

  /** `key`: where the value stands. */
  function filter(value: unknown, key: string): unknown {
    if (typeof value === "string") return textUnder(key, value);
    if (Array.isArray(value)) return value.map((item) => filter(item, key));
    if (!isRecord(value)) return value;
    const members = Object.entries(value).map(([name, member]) => [
      harmlessKey(name),
      filterMember(value, name, member),
    ]);
    return Object.fromEntries(members);
  }

  function filterMember(owner: Line, name: string, member: unknown): unknown {
    if (isToolInput(owner, name)) return filterArguments(member);
    if (name === "name" && !isCodeName(owner)) return somewhat;
    return filter(member, name);
  }

  return (line) => {
    const member = (key: string, value: unknown): unknown => {
      if (key === "config") return filterConfig(value);
      if (key === "text" && typeof value === "string") return filterConfigText(value);
      return key === "input" || key === "output" ? filter(value, "") : filterMember(line, key, value); // a hook's own
    };
    return Object.fromEntries(Object.entries(line).map(([key, value]) => [harmlessKey(key), member(key, value)]));
  };
}

/** What a tool was called with; the text a person typed has a `type` beside it and is no arguments. */
function isToolInput(owner: Line, name: string): boolean {
  if (name === "args" || name === "arguments" || name === "structured" || name === "raw") return true;
  return name === "input" && !(isRecord(owner.input) && "type" in owner.input);
}

/** Names of tools and errors are codes; those of people, projects and files are not. */
const isCodeName = (owner: Line): boolean => "callID" in owner || "data" in owner || "message" in owner;

/** Numbers, switches and shape stay; every text goes. */
function filterArguments(value: unknown): unknown {
  const put = classify("execute", value) === "bookkeeping" ? ownCall : somewhat;
  const walk = (inner: unknown): unknown => {
    if (typeof inner === "string") return inner === "" || isMode(inner) ? inner : put;
    if (Array.isArray(inner)) return inner.map(walk);
    if (!isRecord(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, member]) => [harmlessKey(key), walk(member)]));
  };
  return walk(value);
}

/** Our own notify tool is called with one of these. */
const isMode = (text: string): boolean => ["both", "banner", "voice", "none"].includes(text);

/** The same text always gets the same placeholder. */
function createPlaceholders(name: (count: number) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const placeholder = known.get(text) ?? name(known.size + 1);
    known.set(text, placeholder);
    return placeholder;
  };
}
