/** Longest texts we show, counted in graphemes (what a person calls a character). */
export const titleLength = 80;
export const bodyLength = 240;

/** Longer input is cut before any work: nobody reads it, and a title of 10 MB must cost nothing. */
const longestInput = 20_000;
/** One grapheme can carry thousands of combining marks: units are limited too. */
const unitsPerGrapheme = 10;

/** Removed whole, so that nothing of them stays as text: CSI; and OSC, DCS, SOS, PM, APC that have an end. */
const [escapeSign, bell] = ["\u001b", "\u0007"];
const escapeSequence = new RegExp(
  `(?:${escapeSign}\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:${escapeSign}[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\\p{Cc}]*(?:${bell}|${escapeSign}\\\\|\u009c)`,
  "gu",
);
/**
 * What acts on a terminal, turns the direction of what follows, or is not seen at all: C0, DEL, C1; halves of surrogate
 * pairs; whatever Unicode calls ignorable (zero-width, bidi, joiners, selectors, tags, fillers); noncharacters. First the
 * flags of England, Scotland and Wales, which are spelt in tags.
 */
const unseen =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|[\p{Cc}\p{Cs}\p{DI}\p{NChar}\ufff9-\ufffb]/gu;
const flagLength = 14;
/** `\s` without the byte order mark, which has no width; U+2800 is an empty cell of Braille. */
const blanks = /[\t-\r\p{Z}\u0085\u2800]+/gu;
const visible = /[^\p{Cf}\p{Z}]/u;

/** Letters that change their shape, or their meaning, by a joiner beside them. */
const joining = ["Arab", "Syrc", "Mong", "Nkoo", "Mand", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu"]
  .concat("Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt", "Laoo", "Thai")
  .map((script) => `\\p{scx=${script}}`)
  .join("");
const letter = new RegExp(`^(?!\\p{DI})(?=[\\p{L}\\p{M}])[${joining}]`, "u");
const letterAtEnd = new RegExp(`(?!\\p{DI})(?=[\\p{L}\\p{M}])[${joining}]$`, "u");
/** A joiner may end a word after a mark: so Malayalam and Sinhala write a bare consonant. */
const markAtEnd = new RegExp(`(?!\\p{DI})(?=\\p{M})[${joining}]$`, "u");

/** Each selector, and what it may follow. Source: Unicode, StandardizedVariants.txt and emoji-variation-sequences.txt. */
const selectors: readonly [RegExp, RegExp][] = [
  [/[\ufe0e\ufe0f]/u, /\p{ExtPict}$/u],
  [/[\ufe00-\ufe0d]/u, /[\p{sc=Han}\p{Sm}\p{scx=Mymr}\p{scx=Phag}]$/u],
  [/[\u{e0100}-\u{e01ef}]/u, /\p{sc=Han}$/u],
  [/[\u180b-\u180d\u180f]/u, /(?!\p{DI})\p{scx=Mong}$/u],
];

/** Joiners that letters and emoji need, and selectors of the form of what they stand behind. */
function isNeeded(sign: string, at: number, text: string): boolean {
  if (sign.length === flagLength) return true;
  const [before, after] = [text.slice(Math.max(0, at - 4), at), text.slice(at + sign.length, at + sign.length + 2)];
  if (sign === "\u200d" && /(?:\p{ExtPict}\ufe0f?|\p{EMod})$/u.test(before) && /^\p{ExtPict}/u.test(after)) return true;
  if (sign === "\u200d" || sign === "\u200c")
    return letterAtEnd.test(before) && (letter.test(after) || markAtEnd.test(before));
  if (sign === "\ufe0f" && after.startsWith("\u20e3") && /[#*0-9]$/.test(before)) return true;
  return selectors.some(([selector, base]) => selector.test(sign) && base.test(before));
}

const strip = (text: string, kept = ""): string =>
  text
    .replace(escapeSequence, "")
    .replace(unseen, (sign: string, at: number, all: string) =>
      (sign !== "" && kept.includes(sign)) || isNeeded(sign, at, all) ? sign : "",
    );

const cleanLine = (text: string): string => {
  const line = strip(text.replace(blanks, " ")).replace(/ {2,}/g, " ").trim();
  return visible.test(line) ? line : "";
};

/** At most `most` graphemes; what is cut ends in «…». */
function cap(text: string, most: number): string {
  if (text.length <= most) return text;
  if (/^[ -~\n]*$/.test(text)) return `${cutEnd(text.slice(0, most - 1))}…`; // loading the segmenter costs 80 ms
  let kept = "";
  let shorter = "";
  let count = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (count === most || kept.length + segment.length > most * unitsPerGrapheme) return `${cutEnd(shorter)}…`;
    shorter = count === most - 1 ? shorter : kept + segment;
    kept += segment;
    count += 1;
  }
  return kept;
}

/** A joiner joins nothing to the ellipsis. */
const cutEnd = (text: string): string => text.replace(/[\s\u200c\u200d]+$/u, "");

/** One line, without anything that acts or is not seen. "" when nothing visible is left. */
export const cleanTitle = (text: string, most = titleLength): string =>
  cap(cleanLine(text.slice(0, longestInput)), most);

/** As a title, but line breaks stay (never two in a row). */
export function cleanBody(text: string, most = bodyLength): string {
  const lines = text.slice(0, longestInput).split(/\r\n|[\n\r\u0085\u2028\u2029]/u);
  return cap(
    lines
      .map(cleanLine)
      .filter((line) => line !== "")
      .join("\n"),
    most,
  );
}

/**
 * A text of several lines for a dialog, a log or a model: layout stays, what acts or is not seen goes, and it has an end.
 * `columns`: graphemes a line.
 */
export function cleanText(text: string, { lines, columns }: { lines: number; columns: number }): string {
  const all = text
    .slice(0, lines * columns * unitsPerGrapheme)
    .replace(/\r\n|[\r\u0085\u2028\u2029]/gu, "\n")
    .split("\n");
  const kept = all.length > lines ? all.slice(0, lines - 1).concat(`… and ${all.length - lines + 1} more lines`) : all;
  return kept.map((line) => cap(strip(line, "\t").trimEnd(), columns)).join("\n");
}

/** The same without an end, for what a person asked to see whole. */
export const printable = (text: string): string => strip(text.replaceAll("\r\n", "\n"), "\n\t");

/** JSON of a value on one line: nothing is lost, and what acts or is not seen stands there as its code. */
export const printableJSON = (value: unknown, indent = 0): string =>
  (JSON.stringify(value, null, indent) ?? "null").replace(unseen, (sign: string, at: number, all: string) =>
    sign === "\n" || isNeeded(sign, at, all) ? sign : codesOf(sign),
  );

const codesOf = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** Some patterns below are quadratic at worst: this keeps the worst at a few milliseconds. */
const longestMarkdown = 4_000;

function dropFences(text: string): string {
  let fence: string | undefined;
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    if (fence === undefined && mark === undefined) kept.push(line);
    else if (fence === undefined) fence = mark;
    else if (mark === fence) fence = undefined;
  }
  return kept.join("\n");
}

const steps: readonly [RegExp, string][] = [
  [/^ {0,3}(?:[-*_] *){3,}$/gm, ""], // rule
  [/^ {0,3}(?:#{1,6} +|(?:> ?)+|[-*+] +(?:\[[ xX]\] +)?)/gm, ""], // heading, quote, bullet
  [/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1"], // link or image: its label
  [/!?\[([^[\]]+)\]\[[^[\]]*\]/g, "$1"],
  [/<(?:https?|ftp|file|mailto):[^\s<>]*>/gi, ""],
  [/\b(?:https?|ftp|file):\/\/[^\s<>]*[^\s<>.,;:!?)\]'"]/gi, ""],
  [/`+/g, ""], // inline code stays as text
  [/(?<![\p{L}\p{N}*\\])\*(?=\S)([^*\n]*[^*\s\\])\*(?![\p{L}\p{N}*])/gu, "$1"],
  [/(?<!\\)\*{2,3}([^*\n]+)(?<!\\)\*{2,3}/g, "$1"],
  [/(?<![\p{L}\p{N}_\\])_{1,3}(?=\S)([^\n]*?[^_\s\\])_{1,3}(?![\p{L}\p{N}_])/gu, "$1"],
  [/~~([^~\n]+)~~/g, "$1"],
  [/\\([\\`*_{}[\]()#+\-.!~>|])/g, "$1"],
  [/[ \t]{2,}/g, " "],
  [/ +(?=[.,;:!?](?:\s|$))/g, ""], // what a dropped address leaves behind
];

/** The words of a Markdown text: labels for links, no emphasis marks, no code blocks, no addresses. */
export const plainMarkdown = (text: string): string =>
  steps
    .reduce(
      (plain, [mark, by]) => plain.replace(mark, by),
      dropFences(text.slice(0, longestMarkdown).replace(/\r\n?/g, "\n")),
    )
    .trim();
