/** What a terminal of today makes of the bytes a program printed. `by` is the way it was said. */
export type TerminalNotification = {
  by: "osc99" | "osc777" | "osc9" | "bell";
  title: string;
  body: string;
  /** OSC 99 only: 0 low, 1 normal, 2 critical. */
  urgency?: number;
  end: "up" | "replaced" | "taken back";
};

type Shown = TerminalNotification & { id?: string };

/** An OSC with its content, a DCS, an APC, or a bell that ends nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const whole = /\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b[P_][\s\S]*?\x1b\\|\x07/g;

/**
 * The notifications in these bytes (latin1), oldest first, as a modern kitty shows them: chunks of one OSC 99 id are
 * joined, the same id replaces, `p=close` takes back. OSC 9, OSC 777 and bells stay.
 */
export function notificationsIn(bytes: string): TerminalNotification[] {
  const all: Shown[] = [];
  const unfinished = new Map<string, Shown>();
  for (const [sequence, content] of bytes.matchAll(whole)) {
    const [number = "", ...rest] = content?.split(";") ?? [];
    if (number === "99") hearOsc99(rest.join(";"), all, unfinished);
    else if (number === "777" && rest[0] === "notify")
      all.push({ by: "osc777", title: utf8(rest[1]), body: utf8(rest.slice(2).join(";")), end: "up" });
    else if (number === "9") all.push({ by: "osc9", title: "", body: utf8(rest.join(";")), end: "up" });
    else if (sequence === "\x07") all.push({ by: "bell", title: "", body: "", end: "up" });
  }
  return all.map(({ id: _, ...shown }) => shown);
}

/** Source: kitty's desktop notification protocol. */
function hearOsc99(content: string, all: Shown[], unfinished: Map<string, Shown>): void {
  const [metadata = "", payload = ""] = splitOnce(content, ";");
  const keys = new Map(metadata.split(":").map((pair) => splitOnce(pair, "=")));
  const [id = "", part = "title"] = [keys.get("i"), keys.get("p")];
  if (part === "close") return endAll(all, id, "taken back");
  if (part !== "title" && part !== "body") return;
  const shown: Shown = unfinished.get(id) ?? { by: "osc99", id, title: "", body: "", end: "up" };
  shown[part] += keys.get("e") === "1" ? Buffer.from(payload, "base64").toString("utf8") : utf8(payload);
  if (keys.has("u")) shown.urgency = Number(keys.get("u"));
  unfinished.set(id, shown);
  if (keys.get("d") === "0") return;
  unfinished.delete(id);
  endAll(all, id, "replaced");
  all.push(shown);
}

function endAll(all: Shown[], id: string, end: Shown["end"]): void {
  for (const shown of all) if (id !== "" && shown.id === id && shown.end === "up") shown.end = end;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

const utf8 = (latin1 = ""): string => Buffer.from(latin1, "latin1").toString("utf8");
