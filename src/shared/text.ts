/** Longest texts we show, counted in graphemes (what a person calls a character). */
export const titleLength = 80;
export const bodyLength = 240;

/** Longer input is cut before any work: nobody reads it, and a title of 10 MB must cost nothing. */
const longestInput = 20_000;
/** One grapheme can carry thousands of combining marks: units are limited too. */
const unitsPerGrapheme = 10;

// C0, DEL and C1; halves of surrogate pairs; bidi overrides, embeddings and isolates.
const unprintable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
const blanks = /[\s\u0085]+/gu;
const visible = /[^\p{Cf}\p{Z}\u115f\u1160\u3164\uffa0]/u;

const cleanLine = (text: string): string => {
  const line = text.replace(blanks, " ").replace(unprintable, "").replace(/ {2,}/g, " ").trim();
  return visible.test(line) ? line : "";
};

/** At most `most` graphemes; what is cut ends in «…». */
function cap(text: string, most: number): string {
  if (text.length <= most) return text;
  if (/^[ -~\n]*$/.test(text)) return `${text.slice(0, most - 1).trimEnd()}…`; // loading the segmenter costs 80 ms
  let kept = "";
  let shorter = "";
  let count = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (count === most || kept.length + segment.length > most * unitsPerGrapheme) return `${shorter.trimEnd()}…`;
    shorter = count === most - 1 ? shorter : kept + segment;
    kept += segment;
    count += 1;
  }
  return kept;
}

/** One line, without control characters, bidi overrides or half surrogates. "" when nothing visible is left. */
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
